// Runs agents as a page does, with the client that is named: `node ag_ui.mjs ag-ui-client-1`.
// In: [{messages, tools, runs: [{url, runId, answers}]}], a thread each; an answer is that to the next open interrupt.
// Out: for each thread, after each run, what the client knows of it, what it was told beside that, and the error; and
// whatever the client has warned of.
import { readFileSync } from "node:fs";

const { HttpAgent } = await import(process.argv[2]);
const warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));
console.error = () => {};

async function run(agent, tools, { url, runId, answers }) {
  const told = { custom: [], error: null };
  const resume = answers?.map((answer, place) => ({ interruptId: agent.pendingInterrupts[place].id, ...answer }));
  agent.url = url;
  try {
    await agent.runAgent({ runId, tools, ...(resume && { resume }) }, {
      onCustomEvent: ({ event }) => void told.custom.push([event.name, event.value]),
      onRunErrorEvent: ({ event }) => void (told.error = event.code),
    });
  } catch (error) {
    told.error ??= `${error.name}: ${error.message}`;
  }
  return { ...told, messages: structuredClone(agent.messages), interrupts: structuredClone(agent.pendingInterrupts) };
}

const threads = [];
for (const { messages = [], tools = [], runs } of JSON.parse(readFileSync(0, "utf8"))) {
  const agent = new HttpAgent({ url: "", threadId: `t${threads.length}`, initialMessages: messages });
  const told = [];
  for (const each of runs) told.push(await run(agent, tools, each));
  threads.push(told);
}
console.log(JSON.stringify({ threads, warnings }));
