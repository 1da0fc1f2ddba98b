/** Servers and related types in EC2 (docs/run-on-aws.md). */

import type { ServerSettings } from "#providers/cloud-control/account/roles.ts";
import { idOf } from "#providers/object-names.ts";
import { replacedBy, type ServerProvider } from "#providers/server-provider.ts";
import type { Ec2Accounts } from "./account.ts";
import { objectType } from "./objects/object-type.ts";
import { floatingIp, floatingIpAssociation, refuseFloatingIp } from "./types/floating-ip.ts";
import { keyPair, refuseKeyPair } from "./types/key-pair.ts";
import { net, refuseNet } from "./types/net.ts";
import type { BootUserData } from "./types/plan-server.ts";
import { port, refusePort } from "./types/port.ts";
import { refuseRouter, router } from "./types/router.ts";
import { refuseRouterInterface, routerInterface } from "./types/router-interface.ts";
import { refuseSecurityGroup, securityGroup } from "./types/security-group.ts";
import { server } from "./types/server.ts";
import { type KnownNames, refuseServer, replacesServer } from "./types/server-refusals.ts";
import { refuseSubnet, subnet } from "./types/subnet.ts";
import { refuseVolume, volume } from "./types/volume.ts";
import { refuseVolumeAttachment, volumeAttachment } from "./types/volume-attachment.ts";

export interface Ec2Options {
  readonly accounts: Ec2Accounts;
  /** Of all projects. Null where they are unknown: the creation then refuses a wrong name. */
  readonly settings: readonly ServerSettings[] | null;
  readonly bootUserData: BootUserData;
}

const namesIn = (settings: readonly ServerSettings[]): KnownNames => ({
  images: new Set(settings.flatMap(({ images }) => Object.keys(images))),
  flavors: new Set(settings.flatMap(({ flavors }) => Object.keys(flavors))),
});

export const ec2Provider = ({ accounts, settings, bootUserData }: Ec2Options): ServerProvider => {
  const refuse = refuseServer(settings && namesIn(settings));
  return {
    provider: 2,
    name: "ec2",
    option: "--aws",
    types: {
      "OS::Nova::Server": server(accounts, refuse, bootUserData),
      "OS::Nova::KeyPair": keyPair(accounts),
      "OS::Neutron::Net": objectType(accounts, net),
      "OS::Neutron::Subnet": objectType(accounts, subnet),
      "OS::Neutron::Port": objectType(accounts, port),
      "OS::Neutron::Router": objectType(accounts, router),
      "OS::Neutron::RouterInterface": routerInterface(accounts),
      "OS::Neutron::FloatingIP": objectType(accounts, floatingIp),
      "OS::Neutron::FloatingIPAssociation": floatingIpAssociation(accounts),
      "OS::Neutron::SecurityGroup": securityGroup(accounts),
      "OS::Cinder::Volume": objectType(accounts, volume),
      "OS::Cinder::VolumeAttachment": volumeAttachment(accounts),
    },
    refusals: {
      "OS::Nova::Server": refuse,
      "OS::Nova::KeyPair": refuseKeyPair,
      "OS::Neutron::Net": refuseNet,
      "OS::Neutron::Subnet": refuseSubnet,
      "OS::Neutron::Port": refusePort,
      "OS::Neutron::Router": refuseRouter,
      "OS::Neutron::RouterInterface": refuseRouterInterface,
      "OS::Neutron::FloatingIP": refuseFloatingIp,
      "OS::Neutron::SecurityGroup": refuseSecurityGroup,
      "OS::Cinder::Volume": refuseVolume,
      "OS::Cinder::VolumeAttachment": refuseVolumeAttachment,
    },
    replaces: {
      "OS::Nova::Server": replacesServer,
      "OS::Neutron::Port": replacedBy(...(port.fixed ?? [])),
      "OS::Cinder::VolumeAttachment": replacedBy("volume_id"),
    },
    notes: {},
    serverId: idOf,
  };
};
