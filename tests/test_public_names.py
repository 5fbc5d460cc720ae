"""What is public is exported, and stays."""

from __future__ import annotations

import streamparse
from streamparse import agent, arguments, diff, encoders, presenter, proxy, testing, workspace

#: Fixed: names may be added, none is renamed.
FIXED = {
    *("StreamingResponseHandler", "StreamingParser", "ParserContext", "ParserConfig", "Limits", "ToolSpec"),
    *("StreamScanner", "EventEmitter", "BaseState", "TextState", "XmlTagInitState", "ToolState"),
    *("WriteFileState", "PatchFileState", "RunBashState", "ToolStateRegistry", "register_tool_state"),
    *("SegmentEvent", "SegmentEventType", "SegmentType", "AnyEvent", "EventReader", "parse", "aparse"),
    *("ToolInvocation", "ToolInvocationAdapter", "register_tool_syntax", "MissingExtraError"),
    *("StreamparseError", "ParserStateError", "StateContractError", "RegistryError", "LimitError"),
}


def test_every_exported_name_exists() -> None:
    assert [name for name in streamparse.__all__ if not hasattr(streamparse, name)] == []
    assert [name for name in testing.__all__ if not hasattr(testing, name)] == []
    assert [name for name in diff.__all__ if not hasattr(diff, name)] == []
    assert [name for name in encoders.__all__ if not hasattr(encoders, name)] == []


def test_the_fixed_names_are_exported() -> None:
    assert sorted(FIXED - set(streamparse.__all__)) == []


def test_no_name_is_exported_twice() -> None:
    assert len(streamparse.__all__) == len(set(streamparse.__all__))


def test_every_public_name_of_the_package_is_exported() -> None:
    module = type(streamparse)
    public = {
        name for name, value in vars(streamparse).items() if not name.startswith("_") and not isinstance(value, module)
    }
    assert sorted(public - set(streamparse.__all__)) == []


def test_every_exported_class_and_function_says_what_it_is() -> None:
    exported = [getattr(streamparse, name) for name in streamparse.__all__ if name != "__version__"]
    assert [value for value in exported if not (value.__doc__ or "").strip()] == []


def test_the_testing_kit_exports_its_names() -> None:
    assert sorted(testing.__all__) == [
        *("Segment", "assert_chunk_invariant", "check_order", "check_state", "normalize", "segments", "splits"),
    ]


def test_the_diff_package_exports_its_names() -> None:
    assert sorted(diff.__all__) == [
        *("Candidate", "DiffError", "DiffEvent", "DiffEventType", "DiffResult", "DiffStream", "Directory"),
        *("Edit", "EditStatus"),
        *("Failure", "FailureReason", "FileAction", "FileChange", "FileResult", "PatchStream", "SearchReplaceStream"),
        *("Strategy", "TreeError", "TreeResult", "TreeStream", "apply_patch", "apply_search_replace", "apply_to_tree"),
        *("construct_new_file_content", "detect", "named_paths", "patch_paths", "split_lines", "str_replace"),
    ]
    assert [name for name in diff.__all__ if not (getattr(diff, name).__doc__ or "").strip()] == []


def test_the_presenter_package_exports_its_names() -> None:
    assert sorted(presenter.__all__) == [
        *("ApprovalError", "ApprovalRequest", "Approvals", "Decision", "LoopGuard", "Presenter", "Repetition", "Rule"),
        *("Rules", "Tool", "ToolContext", "ToolError", "ToolLifecycle", "ToolResult", "Toolbox", "describe"),
        "mcp_tools",
    ]
    assert [name for name in presenter.__all__ if not (getattr(presenter, name).__doc__ or "").strip()] == []


def test_the_workspace_exports_its_names() -> None:
    assert sorted(workspace.__all__) == [
        *("Checkpoint", "CheckpointError", "Checkpoints", "Files", "Listing", "Shell", "workspace_tools"),
    ]
    assert [name for name in workspace.__all__ if not (getattr(workspace, name).__doc__ or "").strip()] == []


def test_the_agent_package_exports_its_names() -> None:
    assert sorted(agent.__all__) == [
        *("Agent", "AgentLimits", "ModelError", "SessionLog", "SessionLogError", "ask_openai"),
    ]
    assert [name for name in agent.__all__ if not (getattr(agent, name).__doc__ or "").strip()] == []


def test_the_encoders_are_exported() -> None:
    assert sorted(encoders.__all__) == [
        *("AgUiEncoder", "AgUiRequest", "AiSdkEncoder", "AiSdkRequest", "AnthropicEncoder", "ClientRequest"),
        *("Encoder", "JsonlEncoder", "OpenAIEncoder", "ResponsesEncoder", "SseEncoder", "StreamEncoder"),
        "ToolItem",
        *("achunks", "aframes", "chunks", "frames"),
    ]
    assert [name for name in encoders.__all__ if not (getattr(encoders, name).__doc__ or "").strip()] == []


def test_the_proxy_exports_its_names() -> None:
    assert sorted(proxy.__all__) == [
        *("AsyncTransport", "ChoiceStream", "Exchange", "Settings", "Transport", "app"),
    ]
    assert [name for name in proxy.__all__ if not (getattr(proxy, name).__doc__ or "").strip()] == []


def test_the_text_of_arguments_is_exported() -> None:
    assert "JsonArgumentStream" in arguments.__all__
