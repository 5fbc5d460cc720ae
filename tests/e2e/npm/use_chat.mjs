// A page with the real `useChat`, in jsdom. Standard input: {"url": …, "says": …, "approves": true, "reason": …}.
// Sends a message, answers the question that comes, and prints all messages, and what was posted.
import { text } from "node:stream/consumers";
import { JSDOM } from "jsdom";

const { url, says, approves, reason } = JSON.parse(await text(process.stdin));
const { window } = new JSDOM('<div id="root"></div>', { url: "http://localhost" });
globalThis.window = window;
globalThis.document = window.document;

const { createElement, useEffect } = await import("react");
const { createRoot } = await import("react-dom/client");
const { useChat } = await import("@ai-sdk/react");
const { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } = await import("ai7");

const posted = [];
const statuses = [];
const transport = new DefaultChatTransport({
  api: url,
  fetch: async (address, init) => {
    posted.push(JSON.parse(init.body));
    return fetch(address, init);
  },
});

function Page({ onDone }) {
  const { messages, status, error, sendMessage, addToolApprovalResponse } = useChat({
    id: "chat1",
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  useEffect(() => {
    sendMessage({ text: says });
  }, []);
  const parts = messages.flatMap((message) => message.parts);
  const question = parts.find((part) => part.state === "approval-requested");
  useEffect(() => {
    if (status !== statuses.at(-1)) statuses.push(status);
    if (status === "error") onDone({ messages, posted, error: error.message });
    if (status !== "ready" || messages.length < 2) return;
    if (question) addToolApprovalResponse({ id: question.approval.id, approved: approves, reason });
    else if (!parts.some((part) => part.state === "approval-responded")) onDone({ messages, posted, error: null });
  }, [status, question?.approval?.id]);
  return createElement("pre", null, parts.map((part) => part.text ?? part.state).join("\n"));
}

const root = createRoot(window.document.getElementById("root"));
const done = await new Promise((resolve) => root.render(createElement(Page, { onDone: resolve })));
const shown = window.document.querySelector("pre").textContent;
root.unmount();
console.log(JSON.stringify({ ...done, statuses, shown }));
process.exit(0);
