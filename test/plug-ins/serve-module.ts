import { readFileSync } from "node:fs";
import { serveProvider } from "#provider/http/serve-provider.ts";
import { readProvider } from "#provider/read-provider.ts";

const [port = "", secretFile = ""] = process.argv.slice(2);
const example = await import(new URL("../../examples/provider/my-file.mjs", import.meta.url).href);
const secrets = [readFileSync(secretFile, "utf8").trim()];
const { url } = await serveProvider(readProvider(example.default), { port: Number(port), secrets });
console.log(url);
