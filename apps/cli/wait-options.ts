import type { Command } from "commander";

export const addWaitOptions = (command: Command): Command =>
  command
    .option("--no-wait", "return as soon as the request is accepted")
    .option("--wait-timeout <time>", "stop waiting after 90s, 10m or 2h; the operation goes on");
