/** Servers and what is around them in EC2 (docs/run-on-aws.md). */
import type { ServerSettings } from "#providers/cloud-control/account/roles.ts";
import { idOf } from "#providers/object-names.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import type { Ec2Accounts } from "./account.ts";
import { keyPair, refuseKeyPair } from "./types/key-pair.ts";
import type { BootUserData } from "./types/plan-server.ts";
import { refuseSecurityGroup, securityGroup } from "./types/security-group.ts";
import { server } from "./types/server.ts";
import { type KnownNames, refuseServer } from "./types/server-refusals.ts";

export interface Ec2Options {
  readonly accounts: Ec2Accounts;
  /** Of all projects that have servers. */
  readonly settings: readonly ServerSettings[];
  readonly bootUserData: BootUserData;
}

const namesIn = (settings: readonly ServerSettings[]): KnownNames => ({
  images: new Set(settings.flatMap(({ images }) => Object.keys(images))),
  flavors: new Set(settings.flatMap(({ flavors }) => Object.keys(flavors))),
});

export const ec2Provider = ({ accounts, settings, bootUserData }: Ec2Options): ServerProvider => {
  const refuse = refuseServer(namesIn(settings));
  return {
    provider: 2,
    name: "ec2",
    option: "--aws",
    types: {
      "OS::Nova::Server": server(accounts, refuse, bootUserData),
      "OS::Nova::KeyPair": keyPair(accounts),
      "OS::Neutron::SecurityGroup": securityGroup(accounts),
    },
    refusals: {
      "OS::Nova::Server": refuse,
      "OS::Nova::KeyPair": refuseKeyPair,
      "OS::Neutron::SecurityGroup": refuseSecurityGroup,
    },
    notes: {},
    serverId: idOf,
  };
};
