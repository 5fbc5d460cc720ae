// What it costs a client to read a stream. Standard input: {"parts": […]}. Prints milliseconds for each version of `ai`.
import { text } from "node:stream/consumers";

const { parts } = JSON.parse(await text(process.stdin));
const costs = {};
for (const ai of ["ai7", "ai6", "ai5"]) {
  const { readUIMessageStream } = await import(ai);
  const stream = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const began = performance.now();
  let last;
  for await (const message of readUIMessageStream({ stream })) last = message;
  costs[ai] = performance.now() - began;
  if (!last.parts.some((part) => part.state === "input-available")) throw new Error("the call did not come");
}
console.log(JSON.stringify(costs));
