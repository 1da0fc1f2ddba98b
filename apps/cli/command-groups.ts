/**
 * The commands, each with the module that implements it. Loading a module costs processor time, so
 * one is loaded only when one of its commands is named.
 */
import type { Command } from "commander";

export type TreeFor = (words: readonly string[]) => Promise<Command>;

type Add = (parent: Command, treeFor: TreeFor) => void;

type Load = () => Promise<Add>;

export interface Group {
  readonly heading: string;
  readonly summaries: Readonly<Record<string, string>>;
  /** `sub` is the word after the command. With null all commands of the group are added. */
  readonly add: (program: Command, sub: string | null, treeFor: TreeFor) => Promise<void>;
}

type Part = Omit<Group, "heading">;

const one = (summaries: Group["summaries"], load: Load): Part => ({
  summaries,
  add: async (program, _sub, treeFor) => (await load())(program, treeFor),
});

/** The commands of `hearth stack` are used most, so each loads only its own module. */
const STACK_PARTS: readonly (readonly [heading: string, names: string, load: Load])[] = [
  [
    "Make and change:",
    "create update apply",
    async () => (await import("./stack/target.ts")).addTargetCommands,
  ],
  [
    "Make and change:",
    "delete suspend resume check cancel",
    async () => (await import("./stack/actions.ts")).addActionCommands,
  ],
  [
    "Look:",
    "list show events resources outputs watch diagnose",
    async () => (await import("./stack/reading.ts")).addReadingCommands,
  ],
  ["Look:", "diff", async () => (await import("./stack/diff.ts")).addDiffCommand],
  ["Repair:", "repair", async () => (await import("./stack/repair.ts")).addRepairCommand],
  [
    "Repair:",
    "hook mark-unhealthy",
    async () => (await import("./stack/resource.ts")).addMarkCommands,
  ],
  ["Repair:", "resource", async () => (await import("./stack/resource.ts")).addResourceCommands],
  [
    "Keep:",
    "snapshot abandon adopt",
    async () => (await import("./stack/documents.ts")).addDocumentCommands,
  ],
];

const addStackCommands: Group["add"] = async (program, sub, treeFor) => {
  const stack = program.command("stack");
  const named = STACK_PARTS.filter(([, names]) => sub !== null && names.split(" ").includes(sub));
  for (const [heading, , load] of named.length === 0 ? STACK_PARTS : named) {
    stack.commandsGroup(heading);
    (await load())(stack, treeFor);
  }
};

const under = (heading: string, ...parts: readonly Part[]): readonly Group[] =>
  parts.map((part) => ({ heading, ...part }));

export const GROUPS: readonly Group[] = [
  ...under(
    "First steps:",
    one(
      {
        demo: "make a first stack here, with its host and its server, and remove it all again",
        init: "write a first template",
      },
      async () => (await import("./commands/first-steps.ts")).addFirstSteps,
    ),
  ),
  ...under(
    "Stacks and templates:",
    { summaries: { stack: "stacks" }, add: addStackCommands },
    one(
      { resource: "one resource of a stack" },
      async () => (await import("./stack/resource.ts")).addResourceCommands,
    ),
    one(
      { template: "templates" },
      async () => (await import("./template/template.ts")).addTemplateCommands,
    ),
    one(
      { "resource-type": "the resource types that a template may name" },
      async () => (await import("./commands/resource-type.ts")).addResourceTypeCommands,
    ),
  ),
  ...under(
    "Software on servers:",
    one(
      { server: "machines that software is deployed to" },
      async () => (await import("./server/server.ts")).addServerCommands,
    ),
    one(
      { deployment: "software on servers" },
      async () => (await import("./deployment/deployment.ts")).addDeploymentCommands,
    ),
  ),
  ...under(
    "Hosts:",
    one(
      {
        serve: "run the whole engine on this machine",
        agent: "run a server's software deployments on this machine",
      },
      async () => (await import("./serve/long-running.ts")).addHostCommands,
    ),
    one(
      {
        backup: "copy a data folder into one file, also while its host works",
        restore: "make a data folder of a backup",
      },
      async () => (await import("./data-folder/backup.ts")).addBackupCommands,
    ),
    one(
      { keys: "the keys of an embedded host's data folder" },
      async () => (await import("./data-folder/keys.ts")).addKeysCommands,
    ),
    one(
      { token: "API tokens of a host on this machine" },
      async () => (await import("./data-folder/token.ts")).addTokenCommands,
    ),
    one(
      { provider: "providers of resource types" },
      async () => (await import("./commands/provider.ts")).addProviderCommands,
    ),
    one(
      { doctor: "check a deployment of Hearth from outside" },
      async () => (await import("./doctor/doctor.ts")).addDoctorCommand,
    ),
    one(
      { purge: "remove what is left of deleted stacks" },
      async () => (await import("./commands/purge.ts")).addPurgeCommand,
    ),
    one(
      { aws: "operate a deployment on AWS, with its credentials" },
      async () => (await import("./commands/aws.ts")).addAwsCommands,
    ),
  ),
  ...under(
    "This command line:",
    one(
      {
        login: "keep an endpoint, its project and its token in a profile",
        logout: "remove a profile",
      },
      async () => (await import("./connection/login.ts")).addLoginCommands,
    ),
    one(
      { completion: "complete commands in bash, zsh and fish" },
      async () => (await import("./commands/completion.ts")).addCompletionCommands,
    ),
  ),
];
