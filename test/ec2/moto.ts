import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../aws/eventually.ts";
import { freePort } from "../lanes/free-port.ts";
import { pythonProgram } from "../lanes/python-program.ts";

const VERSION = "5.2.5";
const START_MS_MAX = 60_000;

export interface Moto {
  readonly url: string;
  stop(): void;
}

export const installMoto = (venv: string): Promise<string> =>
  pythonProgram(`${venv}-${VERSION}`, `moto[server,ec2]==${VERSION}`, "moto_server");

export const startMoto = async (venv: string, folder: string): Promise<Moto> => {
  const program = await installMoto(venv);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(folder, "moto.log"), "a");
  const child = spawn(program, ["-H", "127.0.0.1", "-p", String(port)], {
    stdio: ["ignore", log, log],
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
  });
  process.on("exit", () => child.kill("SIGKILL"));
  await eventually("moto answers", START_MS_MAX, async () => {
    if (child.exitCode !== null) throw new Error(`moto ended with ${child.exitCode}`);
    try {
      return (await fetch(`${url}/moto-api/data.json`)).ok ? true : null;
    } catch {
      return null;
    }
  });
  return { url, stop: () => void child.kill("SIGKILL") };
};
