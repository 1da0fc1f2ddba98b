import type { EC2 } from "@aws-sdk/client-ec2";
import type { Result } from "../contract/spoilt-operations.ts";
import type { ServeProcess } from "../integration/host/serve-process.ts";
import { type CommandStep, playSteps } from "../lanes/command-steps.ts";
import { heatTemplate } from "../lanes/heat-templates.ts";
import { NO_IMAGE } from "./faults-proxy.ts";
import { nameSubnet, VPC_RANGE } from "./fixtures.ts";

const SCRIPT = "hot/software-config/example-templates/example-script-template.yaml";
const NETWORK = "hot/servers_in_new_neutron_net.yaml";
const VOLUME = "hot/vm_with_cinder.yaml";
const KEY = "example-key";
const WITH = `--parameter key_name=${KEY} --parameter flavor=m1.small`;

const PRIVATE = "private";

interface Stage {
  readonly host: ServeProcess;
  readonly folder: string;
  readonly ec2: EC2;
}

const scriptSteps = (template: string): readonly CommandStep[] => {
  const update = `hearth stack update -t ${template} ${WITH}`;
  return [
    { command: `hearth stack create -t ${template} ${WITH} example > log`, wanted: /^0/ },
    {
      command: "hearth stack outputs example result",
      wanted: /^0\nThe file \/tmp\/baaaaa contains fooooo for server \S+ during CREATE$/,
    },
    { command: `hearth stack create --no-wait -t ${template} ${WITH} early > log`, wanted: /^0/ },
    // The creation goes on, and the update does not wait for it.
    { command: `${update} --parameter image=ami-1e749f67 early > log`, wanted: /^0/ },
    { command: "hearth stack outputs early other_result", wanted: /during CREATE$/ },
    {
      command: `${update} --enable-rollback --parameter image=${NO_IMAGE} example > log`,
      wanted: /^1/,
    },
    { command: "hearth stack show example", wanted: /ROLLBACK_COMPLETE/ },
    { command: "hearth stack delete --yes early > log", wanted: /^0/ },
    { command: "hearth stack delete --yes example > log", wanted: /^0/ },
  ];
};

const given = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `--parameter ${name}=${value}`)
    .join(" ");

const rangeOf = (third: number): string =>
  given({
    private_net_cidr: `${VPC_RANGE}.${third}.0/24`,
    private_net_gateway: `${VPC_RANGE}.${third}.1`,
    private_net_pool_start: `${VPC_RANGE}.${third}.2`,
    private_net_pool_end: `${VPC_RANGE}.${third}.254`,
  });

const networkSteps = (template: string): readonly CommandStep[] => {
  const names = { image: "fedora-software-config", public_net: "public", private_net_name: "own" };
  const with_ = `-t ${template} ${WITH} ${given(names)}`;
  return [
    { command: `hearth stack create ${with_} ${rangeOf(96)} net > log`, wanted: /^0/ },
    { command: "hearth stack outputs net server1_private_ip", wanted: /^0\n172\.31\.96\.\d+$/ },
    { command: "hearth stack outputs net server2_public_ip", wanted: /^0\n\d+(\.\d+){3}$/ },
    { command: `hearth stack create ${with_} ${rangeOf(97)} twin > log`, wanted: /^0/ },
    { command: "hearth stack outputs twin server1_private_ip", wanted: /^0\n172\.31\.97\.\d+$/ },
    {
      command: `hearth stack create ${with_} ${rangeOf(96)} third`,
      wanted: /InvalidSubnet.Conflict/,
    },
    { command: "hearth stack delete --yes third > log", wanted: /^0/ },
    { command: "hearth stack check net > log", wanted: /^0/ },
    { command: "hearth stack delete --yes net > log", wanted: /^0/ },
    { command: "hearth stack check twin > log", wanted: /^0/ },
    { command: "hearth stack delete --yes twin > log", wanted: /^0/ },
  ];
};

const volumeSteps = (template: string): readonly CommandStep[] => {
  const with_ = `-t ${template} ${WITH} --parameter image=fedora-software-config`;
  return [
    { command: `hearth stack create ${with_} vol > log`, wanted: /^0/ },
    { command: "hearth stack outputs vol instance_networks", wanted: /172\.31\.112\.\d+/ },
    { command: `hearth stack update ${with_} --parameter vol_size=3 vol > log`, wanted: /^0/ },
    { command: "hearth stack check vol > log", wanted: /^0/ },
    { command: "hearth stack delete --yes vol > log", wanted: /^0/ },
  ];
};

const PLAYED = [
  [SCRIPT, scriptSteps],
  [NETWORK, networkSteps],
  [VOLUME, volumeSteps],
] as const;

export async function* playExamples({
  host,
  folder,
  ec2,
}: Stage): AsyncGenerator<Result, void, undefined> {
  await ec2.createKeyPair({ KeyName: KEY });
  await nameSubnet(ec2, `${VPC_RANGE}.112.0/24`, PRIVATE);
  const environment = { HEARTH_ENDPOINT: host.url, HOME: folder };
  for (const [path, stepsFor] of PLAYED) {
    yield* playSteps({ folder, environment }, stepsFor(heatTemplate(path)));
  }
  await ec2.deleteKeyPair({ KeyName: KEY });
}
