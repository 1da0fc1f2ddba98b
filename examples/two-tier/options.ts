import { Command, Option } from "commander";
import { z } from "zod";
import { forgetEmptyVariables } from "../../apps/cli/empty-variables.ts";
import { EXIT_USAGE } from "../../apps/cli/failure.ts";

/** A short key could occur in an answer by chance. */
const API_KEY_CHARS_MIN = 16;

const OptionsShape = z.object({
  endpoint: z.url({ protocol: /^https?$/, error: "--endpoint is not a URL" }).optional(),
  project: z.string().min(1, "--project is empty"),
  token: z.string().optional(),
  apiKey: z
    .string()
    .min(API_KEY_CHARS_MIN, `--api-key has fewer than ${API_KEY_CHARS_MIN} characters`)
    .optional(),
  servers: z.enum(["docker"], "--servers is docker").optional(),
  agentsAddress: z.string().default("172.17.0.1"),
  patience: z.coerce.number("--patience is no number").min(1, "--patience is below 1").default(1),
});
export type Options = z.infer<typeof OptionsShape>;

export const readOptions = (args: readonly string[]): Options => {
  const program = new Command("demo")
    .description("A stack on two servers through everything that can happen to it.")
    .option("--endpoint <url>", "an API that runs already; without it the demo starts its own")
    .addOption(new Option("--project <name>", "whose stack").env("HEARTH_PROJECT").default("demo"))
    .addOption(new Option("--token <token>", "sent as X-Auth-Token").env("HEARTH_TOKEN"))
    .option("--servers <kind>", "docker: a second act, on servers that Hearth makes itself")
    .option("--agents-address <address>", "where containers reach this machine")
    .option("--patience <factor>", "how many times longer to wait, for a slow machine")
    .option("--api-key <text>", "the hidden parameter, to be looked for elsewhere too")
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_USAGE));
  program.parse(args, { from: "user" });
  forgetEmptyVariables(program);
  const options = OptionsShape.safeParse(program.opts());
  if (options.success) return options.data;
  const wrong = options.error.issues.map(({ message }) => message);
  return program.error(wrong.join("\n"));
};
