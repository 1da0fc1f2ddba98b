/** Servers and what is around them in EC2 (docs/run-on-aws.md). */
import type { ProvidedType, Provider } from "#provider/provider.ts";
import type { ServerSettings } from "#providers/cloud-control/account/roles.ts";
import { idOf } from "#providers/object-names.ts";
import type { Refuse } from "#providers/refused-properties.ts";
import type { Ec2Accounts } from "./account.ts";
import { keyPair, refuseKeyPair } from "./types/key-pair.ts";
import type { BootUserData } from "./types/plan-server.ts";
import { refuseSecurityGroup, securityGroup } from "./types/security-group.ts";
import { type ServerType, server } from "./types/server.ts";
import { type KnownNames, refuseServer } from "./types/server-refusals.ts";

export interface Ec2Provider extends Provider {
  readonly types: Readonly<Record<string, ProvidedType | ServerType>>;
  /** By type: the first property that it cannot honour. */
  readonly refusals: Readonly<Record<string, Refuse>>;
  /** By type: what its status says of an object that was made. */
  readonly notes: Readonly<Record<string, string>>;
  readonly option: string;
  /** The physical id that a creation with this token gives its server. */
  readonly serverId: (token: string) => string;
}

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

export const ec2Provider = ({ accounts, settings, bootUserData }: Ec2Options): Ec2Provider => {
  const refuse = refuseServer(namesIn(settings));
  return {
    provider: 1,
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
