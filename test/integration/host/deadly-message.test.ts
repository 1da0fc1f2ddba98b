import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ALONE_MAX } from "#lib/ports/queue.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { at, send } from "./host-client.ts";
import { startServe } from "./serve-process.ts";

const plugInAfter = (
  ms: number,
): string => `export default { provider: 1, name: "deadly", types: { "My::Deadly": {
  description: "Ends its host.", tokens: "kept", properties: {},
  create: () => new Promise(() => setTimeout(() => process.kill(process.pid, "SIGKILL"), ${ms})),
  delete: () => ({ state: "finished" }),
} } };`;

const stack = (name: string, type: string) => ({
  stack_name: name,
  template: {
    heat_template_version: "2021-04-16",
    resources: {
      first: { type: "OS::Heat::RandomString" },
      last: { type, depends_on: "first" },
    },
  },
});
/**
 * Two ends of a process that handles other messages too: one in the visit of another node, and one
 * in the message's own visit.
 */
const ENDS_MAX = 2 + ALONE_MAX;

it.each([
  { ms: 0, outlived: 0 },
  // The process outlives the second in which the message is handled alone at first.
  { ms: 1_300, outlived: 1 },
])("is set aside with a reason, and everything else goes on: $ms ms", async ({ ms, outlived }) => {
  const folder = freshFolder();
  const plugIn = join(folder, "deadly.mjs");
  writeFileSync(plugIn, plugInAfter(ms));
  const start = () => startServe("--data", join(folder, "data"), "--plugin", plugIn);
  let host = await start();
  let starts = 1;
  const look = async (name: string): Promise<string> => {
    const { body } = await send(host.url, "GET", `/v1/demo/stacks/${name}`);
    return `${at(body, "stack", "stack_status")}: ${at(body, "stack", "stack_status_reason")}`;
  };
  const lookAgain = async (): Promise<string> => {
    try {
      return await look("deadly");
    } catch {
      starts++;
      host = await start().catch(() => host);
      return "the host has ended";
    }
  };
  try {
    const made = [stack("deadly", "My::Deadly"), stack("healthy", "OS::Heat::RandomString")];
    await Promise.allSettled(made.map((one) => send(host.url, "POST", "/v1/demo/stacks", one)));
    await expect.poll(lookAgain, { timeout: 60_000 }).toMatch(/^CREATE_FAILED/);
    expect(await look("deadly")).toContain("Hearth ended 3 times while it handled nothing else");
    expect(starts).toBeLessThanOrEqual(1 + ENDS_MAX + outlived);
    await send(host.url, "POST", "/v1/demo/stacks", { ...made[1], stack_name: "later" });
    await expect.poll(() => look("later")).toMatch(/^CREATE_COMPLETE/);
    await expect.poll(() => look("healthy")).toMatch(/^CREATE_COMPLETE/);
  } finally {
    await host.stop("SIGKILL");
    removeFolder(folder);
  }
});
