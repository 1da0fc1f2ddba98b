/**
 * A thread that parses one text after another. It answers with JSON text, which is transferred
 * faster than objects.
 */
import { parentPort } from "node:worker_threads";
import { readText } from "#lib/template/parse/parse.ts";

parentPort?.on("message", (text: string) =>
  parentPort?.postMessage(JSON.stringify(readText(text))),
);
