import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { z } from "zod";
import { type Declaration, declare, locally } from "../declaration.ts";
import { keepLogQuiet } from "../empty-variables.ts";
import { badUsage, CommandFailed, codeOf, textOf } from "../failure.ts";
import { off } from "../options.ts";
import { GlobalOptions, printer } from "../session.ts";

export const addFirstSteps = (program: Command): void => declare(program, demo, init);

const demo: Declaration = {
  usage: "demo",
  action: locally(GlobalOptions, async ({ json }) => {
    keepLogQuiet();
    const { showFirstStack } = await import("./first-stack.ts");
    await showFirstStack(json);
  }),
};

const FILE_DEFAULT = "stack.yaml";

const FIRST_TEMPLATE = `heat_template_version: 2021-04-16

description: A first stack. It needs neither a cloud nor a machine.

parameters:
  length:
    type: number
    description: How many characters the password has
    default: 20
    constraints:
      - range: {min: 8, max: 64}

resources:
  password:
    type: OS::Heat::RandomString
    properties:
      length: {get_param: length}

  greeting:
    type: OS::Heat::Value
    properties:
      type: string
      value:
        str_replace:
          template: The password of STACK has LENGTH characters.
          params:
            STACK: {get_param: "OS::stack_name"}
            LENGTH: {get_param: length}
    # The password is made first. A reference to it would say the same.
    depends_on: password

outputs:
  greeting:
    description: What the stack says
    value: {get_attr: [greeting, value]}
`;

const init: Declaration = {
  usage: "init",
  words: (command) => command.argument("[file]", "the new template", FILE_DEFAULT),
  action: locally(z.object({ json: off }), ({ json }, file: string) => {
    writeNew(file);
    printer(json)({ file }, () => [
      `${file} is a first template. These commands go on from here:`,
      `  hearth template validate ${file}`,
      `  hearth stack create first -t ${file}`,
      "  hearth stack delete first",
    ]);
  }),
};

const writeNew = (file: string): void => {
  try {
    writeFileSync(file, FIRST_TEMPLATE, { flag: "wx" });
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") throw badUsage(`${file} exists: give another name.`);
    if (code === "ENOENT") throw badUsage(`${file}: there is no such folder.`);
    const text = `${file} cannot be written: ${textOf(error)}.`;
    throw new CommandFailed(text, undefined, { cause: error });
  }
};
