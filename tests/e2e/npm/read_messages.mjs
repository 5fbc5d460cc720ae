// Reads streams with the transport and the reader of `ai`. Standard input: {"ai": "ai7", "url": …, "chats": [[name, …]]}.
// Prints, for each chat, the message as it is after all of its responses, and the errors that were told.
import { text } from "node:stream/consumers";

const { ai, url, chats } = JSON.parse(await text(process.stdin));
const { DefaultChatTransport, readUIMessageStream } = await import(ai);
const results = [];
for (const names of chats) {
  let message;
  const errors = [];
  for (const model of names) {
    const transport = new DefaultChatTransport({ api: url, body: { model } });
    const stream = await transport.sendMessages({
      chatId: "chat",
      messages: [],
      trigger: "submit-message",
      messageId: undefined,
      abortSignal: undefined,
    });
    const onError = (error) => errors.push(String(error.message));
    for await (const snapshot of readUIMessageStream({ stream, message, onError })) message = snapshot;
  }
  results.push({ message: message ?? null, errors });
}
console.log(JSON.stringify(results));
