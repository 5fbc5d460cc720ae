// Runs an agent as a page does, with the client that is named: `node ag_ui.mjs ag-ui-client-1`.
// In: {url, messages, tools, runs: [{url, runId, answers}]}; each answer is that to the next open interrupt.
// Out, for each run: what the client knows of the thread then, what it was told beside it, its warnings, and the error.
import { readFileSync } from "node:fs";

const { HttpAgent, verifyEvents } = await import(process.argv[2]);
const { url, messages = [], tools = [], runs } = JSON.parse(readFileSync(0, "utf8"));
const warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));
console.error = () => {};

const agent = new HttpAgent({ url, threadId: "t", initialMessages: messages });
const told = [];
for (const run of runs) {
  const found = { events: [], custom: [], error: null };
  const resume = run.answers?.map((answer, place) => ({
    interruptId: agent.pendingInterrupts[place].id,
    ...answer,
  }));
  agent.url = run.url ?? url;
  try {
    const parameters = { runId: run.runId, tools, ...(resume && { resume }) };
    const { newMessages } = await agent.runAgent(parameters, {
      onEvent: ({ event }) => void found.events.push(event.type),
      onCustomEvent: ({ event }) => void found.custom.push([event.name, event.value]),
      onRunErrorEvent: ({ event }) => void (found.error = [event.code, event.message]),
    });
    found.count = newMessages.length;
  } catch (error) {
    found.error ??= [error.name, error.message];
  }
  found.messages = structuredClone(agent.messages);
  found.interrupts = structuredClone(agent.pendingInterrupts);
  told.push(found);
}
console.log(JSON.stringify({ runs: told, warnings }));
