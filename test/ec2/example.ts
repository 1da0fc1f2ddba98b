/** example-script-template.yaml of openstack/heat-templates, unmodified, through its whole life. */
import { join } from "node:path";
import type { EC2 } from "@aws-sdk/client-ec2";
import type { Result } from "../contract/spoilt-operations.ts";
import { runInShell } from "../integration/documents/page-shell.ts";
import type { ServeProcess } from "../integration/host/serve-process.ts";
import { NO_IMAGE } from "./faults-proxy.ts";

const TEMPLATE = "hot/software-config/example-templates/example-script-template.yaml";
const KEY = "example-key";
const WITH = `--parameter key_name=${KEY} --parameter flavor=m1.small`;

interface Stage {
  readonly host: ServeProcess;
  readonly folder: string;
  readonly ec2: EC2;
  /** A checkout of heat-templates. Null: there is none, so nothing is played. */
  readonly templates: string | null;
}

interface Step {
  readonly command: string;
  readonly wanted: RegExp;
}

const stepsFor = (template: string): readonly Step[] => {
  const update = `hearth stack update -t ${template} ${WITH}`;
  return [
    { command: `hearth stack create -t ${template} ${WITH} example > log`, wanted: /^0/ },
    {
      command: "hearth stack outputs example result",
      wanted: /^0\nThe file \/tmp\/baaaaa contains fooooo for server \S+ during CREATE$/,
    },
    { command: `hearth stack create --no-wait -t ${template} ${WITH} early > log`, wanted: /^0/ },
    // The creation goes on, and the update waits for nothing of it.
    { command: `${update} --parameter image=ami-1e749f67 early > log`, wanted: /^0/ },
    { command: "hearth stack outputs early other_result", wanted: /during CREATE$/ },
    // EC2 has no such image, so the new instance cannot be made.
    {
      command: `${update} --enable-rollback --parameter image=${NO_IMAGE} example > log`,
      wanted: /^1/,
    },
    { command: "hearth stack show example", wanted: /ROLLBACK_COMPLETE/ },
    { command: "hearth stack delete --yes early > log", wanted: /^0/ },
    { command: "hearth stack delete --yes example > log", wanted: /^0/ },
  ];
};

export const playExample = async ({
  host,
  folder,
  ec2,
  templates,
}: Stage): Promise<readonly Result[]> => {
  if (templates === null) {
    console.log("example-script-template.yaml: not run: --templates names no checkout");
    return [];
  }
  await ec2.createKeyPair({ KeyName: KEY });
  const environment = { HEARTH_ENDPOINT: host.url, HOME: folder };
  const results: Result[] = [];
  for (const { command, wanted } of stepsFor(join(templates, TEMPLATE))) {
    const { code, printed } = await runInShell(folder, environment, command);
    const seen = `${code}\n${printed}`;
    const log = wanted.test(seen)
      ? ""
      : (await runInShell(folder, environment, "tail -n 5 log")).printed;
    const name = `the example: ${command.replace(join(templates, TEMPLATE), "T")}`;
    results.push({ name, wrong: wanted.test(seen) ? [] : [seen, log] });
  }
  await ec2.deleteKeyPair({ KeyName: KEY });
  return results;
};
