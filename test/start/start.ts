/**
 * `npm run lane -- start` follows docs/start.md as a new user does: from the package's installation
 * in a fresh home to software on another machine, seen in a browser. The user, the host and the
 * browser have a network of their own, and the machine has a real systemd and a real sshd. It needs
 * root, Debian's packages and Chromium. Its last line has the counts, or says why it was not run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../lanes/free-port.ts";
import { playLane } from "../lanes/play-lane.ts";
import { installNode } from "../package/nodes.ts";
import { packRepository } from "../package/tarball.ts";
import { whyNoNamespaces } from "../reach/namespaces.ts";
import { startMachine, whyNoMachine } from "../ssh/machine.ts";
import { whatIsLeft } from "../ssh/provider-play.ts";
import { chromiumPath } from "../web/chromium.ts";
import { inHome, MACHINE_ADDRESS, makeHome, USER_ADDRESS } from "./home-network.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLAY = fileURLToPath(new URL("./play.ts", import.meta.url));
const NODE = "24";

const whyNot = async (): Promise<string | null> =>
  (await whyNoNamespaces()) ??
  whyNoMachine() ??
  (chromiumPath() === null ? "there is no Chromium" : null);

await playLane("start", async (folder) => {
  const why = await whyNot();
  if (why !== null) {
    console.log(`not run: ${why}`);
    return true;
  }
  const home = join(folder, "home");
  mkdirSync(home);
  const nodes = await installNode(NODE);
  const { path } = await packRepository(ROOT, folder);
  copyFileSync(path, join(home, basename(path)));
  const port = await freePort();
  const network = makeHome(folder);
  const machine = await startMachine(folder, port, MACHINE_ADDRESS);
  try {
    machine.run(`echo '${USER_ADDRESS} hearth.example' >> /etc/hosts`);
    const before = machine.files();
    const [program = "", ...words] = inHome(network);
    const known = [home, nodes, String(port), machine.keyFile];
    const child = spawn(program, [...words, process.execPath, PLAY, ...known], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => child.kill(signal));
    const [code] = await once(child, "exit");
    const left = whatIsLeft(machine, before).filter((line) => /hearth|agent/.test(line));
    for (const line of left) console.log(`after the page's last command: ${line}`);
    return code === 0 && left.length === 0;
  } finally {
    await machine.stop();
    network.remove();
  }
});
