/**
 * `npm run lane -- reach`: a host in one network namespace and a machine in another, with TLS and
 * tokens. It needs root. Its last line has the counts, or says why it was not run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchStockAgents } from "../agents/stock-agents.ts";
import {
  inside,
  makeNamespaces,
  namesOf,
  removeLeftovers,
  removeNamespaces,
  whyNoNamespaces,
} from "./namespaces.ts";

const DATA = fileURLToPath(new URL("../../.data", import.meta.url));
const PLAY = fileURLToPath(new URL("./play.ts", import.meta.url));

const play = async (): Promise<number> => {
  mkdirSync(DATA, { recursive: true });
  // No packages can be fetched in the machine's network.
  await fetchStockAgents(join(DATA, "stock-agents"));
  removeLeftovers();
  const namespaces = namesOf(process.pid);
  // No namespace may survive this process, even if one cannot be made.
  process.on("exit", () => removeNamespaces(namespaces));
  makeNamespaces(namespaces);
  const [nsenter = "", ...words] = inside(namespaces.machine);
  const program = [...words, process.execPath, PLAY, namespaces.host];
  const child = spawn(nsenter, program, { stdio: ["ignore", "inherit", "inherit"] });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => child.kill(signal));
  }
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
};

const why = await whyNoNamespaces();
if (why === null) process.exitCode = await play();
else console.log(`not run: ${why}`);
