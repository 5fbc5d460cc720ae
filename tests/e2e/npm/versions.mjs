// Prints the version of Node and of each client, when all of them could be loaded.
import { readFileSync } from "node:fs";

const names = ["ai5", "ai6", "ai7", "@ai-sdk/react", "assistant-stream", "ag-ui-client-0", "ag-ui-client-1", "jsdom"];
const versions = { node: process.versions.node };
for (const name of names) {
  await import(name);
  versions[name] = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
}
console.log(JSON.stringify(versions));
