// Reads streams as assistant-ui does. Standard input: {"url": …, "names": […]}. Prints the message of each.
import { text } from "node:stream/consumers";
import { AssistantMessageAccumulator, UIMessageStreamDecoder } from "assistant-stream";

const { url, names } = JSON.parse(await text(process.stdin));
const results = [];
for (const model of names) {
  const response = await fetch(url, { method: "POST", body: JSON.stringify({ model }) });
  const messages = response.body.pipeThrough(new UIMessageStreamDecoder()).pipeThrough(new AssistantMessageAccumulator());
  let last;
  for await (const message of messages) last = message;
  results.push({ kind: response.headers.get("x-vercel-ai-ui-message-stream"), message: last });
}
console.log(JSON.stringify(results));
