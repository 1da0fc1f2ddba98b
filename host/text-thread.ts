/** A thread that reads one text after another. It answers in JSON text, which is quick to take. */
import { parentPort } from "node:worker_threads";
import { readText } from "#lib/template/parse.ts";

parentPort?.on("message", (text: string) =>
  parentPort?.postMessage(JSON.stringify(readText(text))),
);
