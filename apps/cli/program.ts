import { Command, Option } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { GROUPS, type Group } from "./command-groups.ts";
import { sentenceOf } from "./declaration.ts";
import { forgetEmptyVariables } from "./empty-variables.ts";
import { badUsage } from "./failure.ts";

/** A terminal of 80 columns has so much room beside the longest command. */
const HELP_COLUMNS_MIN = 20;

/** Loads only the command that the words name. All others have just their lines in the help. */
export const programFor = async (words: readonly string[]): Promise<Command> => {
  const [first, ...others] = rootCommand().parseOptions([...words]).operands;
  // `help` lists all commands at its place.
  const [name = null, sub = null] = first === "help" ? others.slice(0, 1) : [first, ...others];
  return buildProgram((group) => name !== null && Object.hasOwn(group.summaries, name), sub);
};

export const wholeProgram = (): Promise<Command> => buildProgram(() => true, null);

const buildProgram = async (
  isNamed: (group: Group) => boolean,
  sub: string | null,
): Promise<Command> => {
  const program = rootCommand();
  for (const group of GROUPS) {
    if (isNamed(group)) await group.add(program, sub, programFor);
    for (const [name, summary] of Object.entries(group.summaries)) {
      const command = program.commands.find((added) => added.name() === name);
      (command ?? program.command(name)).summary(summary).helpGroup(group.heading);
    }
  }
  program.addCommand(helpCommand(program));
  describeAll(program);
  return program;
};

/** Commander's own one knows only the commands at the top. */
const helpCommand = (program: Command): Command =>
  new Command("help")
    .argument("[command...]")
    .summary("the help of a command, such as: hearth help stack update")
    .helpGroup("This command line:")
    .copyInheritedSettings(program)
    .action((words: readonly string[]) => {
      let found = program;
      for (const word of words) {
        const next = found.commands.find((one) => one.name() === word);
        if (next === undefined) return found.error(`error: unknown command '${word}'`);
        found = next;
      }
      found.outputHelp();
    });

const GLOBAL_OPTIONS = `
Global options, which "hearth --help" describes:
  --endpoint --project --token --ca-file --profile --plain-http --json`;

const rootCommand = (): Command => {
  // A command copies these settings from its parent when it is added.
  const program = new Command("hearth").exitOverride().showHelpAfterError(false);
  return program
    .configureHelp({
      minWidthToWrap: HELP_COLUMNS_MIN,
      // With the arguments the column would leave no room for what the commands do.
      subcommandTerm: (command) => command.name(),
    })
    .configureOutput({
      outputError: (text, write) => {
        if (!process.argv.includes("--json")) write(text);
      },
    })
    .helpCommand(false)
    .version(manifest.version)
    .description("Stacks of resources from HOT templates, and the software on their servers.")
    .addOption(
      new Option("--endpoint <url>", "the URL of Hearth")
        .env("HEARTH_ENDPOINT")
        .default("http://127.0.0.1:8004"),
    )
    .addOption(
      new Option("--project <name>", "the project that has the stacks")
        .env("HEARTH_PROJECT")
        .default("demo"),
    )
    .addOption(new Option("--token <token>", "sent as X-Auth-Token").env("HEARTH_TOKEN"))
    .addOption(
      new Option("--ca-file <file>", "the authority of Hearth's certificate, as PEM").env(
        "HEARTH_CA_FILE",
      ),
    )
    .addOption(
      new Option("--profile <name>", "what hearth login has kept")
        .env("HEARTH_PROFILE")
        .default("default"),
    )
    .option(
      "--plain-http",
      "speak plain HTTP with another machine, in a network that encrypts by itself",
    )
    .option("--json", "print nothing but the answer, as JSON")
    .hook("preAction", prepare);
};

const describeAll = (parent: Command): void => {
  for (const command of parent.commands) {
    const summary = command.summary();
    if (command.description() === "" && summary !== "") {
      command.summary(summary).description(sentenceOf(summary));
    }
    command.addHelpText("after", GLOBAL_OPTIONS);
    describeAll(command);
  }
};

/** These commands ask no host, or another one than the user's. */
const WITHOUT_PROFILE: ReadonlySet<string> = new Set(
  "init demo serve agent backup restore keys provider login logout aws".split(" "),
);

/**
 * An unset variable makes an empty word, as in `hearth stack delete "$STACK"`. Words that a shell
 * completes may be empty: these are optional.
 */
const refuseEmptyWords = ({ registeredArguments, processedArgs }: Command): void => {
  const at = processedArgs.findIndex((given, place) =>
    registeredArguments[place]?.required === true ? [given].flat().includes("") : given === "",
  );
  const argument = registeredArguments[at];
  if (argument !== undefined) throw badUsage(`<${argument.name()}> is empty`);
};

const prepare = async (program: Command, action: Command): Promise<void> => {
  if (action.name() === "help") return;
  refuseEmptyWords(action);
  forgetEmptyVariables(program);
  let top = action;
  while (top.parent !== null && top.parent !== program) top = top.parent;
  if (!WITHOUT_PROFILE.has(top.name())) {
    const { applyProfile } = await import("./connection/profile.ts");
    applyProfile(program);
  }
  await trustGivenAuthority(program);
};

const trustGivenAuthority = async (program: Command): Promise<void> => {
  const { caFile } = program.opts<{ caFile?: string }>();
  const isFromEnvironment = program.getOptionValueSource("caFile") === "env";
  // A script whose variable is unset gives an empty option.
  if (caFile === "") throw badUsage("--ca-file is empty");
  if (caFile === undefined) return;
  const { readAuthority, trustOnly } = await import("./connection/certificate-authority.ts");
  trustOnly(readAuthority(caFile, isFromEnvironment ? "HEARTH_CA_FILE" : "--ca-file"));
};
