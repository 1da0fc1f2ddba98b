import type { Tally } from "../crash/tally.ts";
import { type Containers, type Given, openContainers, type ShownStack } from "./containers.ts";

const LOOKS_MAX = 90;
const LOOK_MS = 500;
const USER = "10001";
const GRACE_SECS = 15;

const until = async (
  what: string,
  look: () => boolean,
  why: () => string = () => "",
): Promise<void> => {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    if (look()) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`${what}: not seen in time. ${why()}`);
};

type Check = (name: string, isSo: boolean, instead: string) => void;

const outputOf = (stack: ShownStack | null, key: string): string =>
  String(stack?.outputs.find(({ output_key }) => output_key === key)?.output_value ?? "");

export const playImage = async (given: Given, tally: Tally): Promise<void> => {
  const check: Check = (name, isSo, instead) =>
    tally.report([{ name, wrong: isSo ? [] : [instead.trim()] }]);
  const containers = openContainers(given);
  const bare = containers.bare();
  const asks = bare.code === 2 && bare.output.includes("--tls-cert");
  check("the image without options says what it needs", asks, bare.output);
  const token = containers.makeToken();
  containers.startHost("first");
  await until("the first container is healthy", () => containers.isHealthy("first"));
  check("it is healthy over TLS", containers.isHealthy("first"), "it was for a moment");
  checkLocks(containers, check);
  const { hearth } = containers;
  const stranger = hearth("first", "wrong", "stack", "list");
  check("it refuses a wrong token", stranger.code === 1, stranger.output);
  await playStack(containers, token, check);
  const code = containers.stopHost("first", GRACE_SECS);
  check("SIGTERM ends it with 0 within its grace", code === "0", `exit code ${code}`);
  await playRestart(containers, token, check);
};

const checkLocks = ({ exec }: Containers, check: Check): void => {
  const user = exec("first", "id", "-u").output.trim();
  check(`it runs as user ${USER}`, user === USER, user);
  const rights = exec("first", "cat", "/proc/1/status").output;
  check("it has no capability", /^CapEff:\s+0+$/m.test(rights), rights);
  check("it can gain no right", /^NoNewPrivs:\s+1$/m.test(rights), rights);
  const touched = exec("first", "touch", "/here");
  const isReadOnly = touched.code !== 0 && touched.output.includes("Read-only file system");
  check("its root is read-only", isReadOnly, touched.output);
};

const playStack = async (
  { hearth, logs, showStack, startAgent }: Containers,
  token: string,
  check: Check,
): Promise<void> => {
  const create = ["stack", "create", "-t", "/run/tls/stack.yaml", "one", "--no-wait"];
  const created = hearth("first", token, ...create);
  check("it takes a stack", created.code === 0, created.output);
  let url = "";
  await until("the server's URL", () => {
    // The output is requested by name, because overviews mask the signature.
    const { code, output } = hearth("first", token, "stack", "outputs", "one", "metadata_url");
    url = code === 0 ? output.trim() : "";
    return url.includes("sig=");
  });
  startAgent(url);
  await until(
    "the deployment ends",
    () => {
      const status = showStack("first", token)?.stack_status ?? "";
      return status === "CREATE_COMPLETE" || status.endsWith("FAILED");
    },
    () => logs("agent"),
  );
  const stack = showStack("first", token);
  check(
    "its agent completes the deployment",
    outputOf(stack, "user").trim() === USER,
    JSON.stringify(stack),
  );
};

const playRestart = async (containers: Containers, token: string, check: Check): Promise<void> => {
  const { hearth, isHealthy, showStack, startHost } = containers;
  startHost("second");
  await until("the second container is healthy", () => isHealthy("second"));
  const kept = showStack("second", token);
  check(
    "a new container has its stacks",
    kept?.stack_status === "CREATE_COMPLETE",
    JSON.stringify(kept),
  );
  const deleted = hearth("second", token, "stack", "delete", "one", "--yes");
  check("the stack's delete completes in it", deleted.code === 0, deleted.output);
  const backup = "/var/lib/hearth/backup";
  const made = hearth("second", token, "backup", backup, "--data", "/var/lib/hearth");
  check("it is backed up while it runs", made.code === 0, made.output);
};
