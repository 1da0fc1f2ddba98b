/** Servers and related types in an OpenStack without Heat (docs/run-on-openstack.md). */
import { NEVER_REPLACED } from "#providers/server-provider.ts";
import { idOf } from "../object-names.ts";
import type { ServerProvider } from "../server-provider.ts";
import { PACE, type Pace, type Site } from "./asked.ts";
import { refuseVolume, volume } from "./cinder/volume.ts";
import { volumeAttachment } from "./cinder/volume-attachment.ts";
import type { Clouds } from "./cloud.ts";
import { refuseLongDescription } from "./marks.ts";
import { floatingIp, floatingIpAssociation } from "./neutron/floating-ip.ts";
import { net, refuseNet, refuseSubnet, subnet } from "./neutron/net.ts";
import { neutronType } from "./neutron/neutron-type.ts";
import { port, refusePort } from "./neutron/port.ts";
import { refuseRouter, router } from "./neutron/router.ts";
import { routerInterface } from "./neutron/router-interface.ts";
import { securityGroup, securityGroupRule } from "./neutron/security-group.ts";
import { keyPair, refuseKeyPair } from "./nova/key-pair.ts";
import { server } from "./nova/server.ts";
import { refuseServer } from "./nova/server-refusals.ts";
import { replacesServer } from "./nova/server-update.ts";

export const openStackProvider = (clouds: Clouds, pace: Pace = PACE): ServerProvider => {
  const site: Site = { clouds, pace };
  return {
    provider: 2,
    name: "openstack",
    option: "--openstack",
    types: {
      "OS::Nova::Server": server(site),
      "OS::Nova::KeyPair": keyPair(site),
      "OS::Neutron::Net": neutronType(site, net),
      "OS::Neutron::Subnet": neutronType(site, subnet),
      "OS::Neutron::Port": neutronType(site, port),
      "OS::Neutron::Router": neutronType(site, router),
      "OS::Neutron::RouterInterface": routerInterface(site),
      "OS::Neutron::FloatingIP": neutronType(site, floatingIp),
      "OS::Neutron::FloatingIPAssociation": floatingIpAssociation(site),
      "OS::Neutron::SecurityGroup": neutronType(site, securityGroup),
      "OS::Neutron::SecurityGroupRule": neutronType(site, securityGroupRule),
      "OS::Cinder::Volume": volume(site),
      "OS::Cinder::VolumeAttachment": volumeAttachment(site),
    },
    refusals: {
      "OS::Nova::Server": refuseServer,
      "OS::Nova::KeyPair": refuseKeyPair,
      "OS::Neutron::Net": refuseNet,
      "OS::Neutron::Subnet": refuseSubnet,
      "OS::Neutron::Port": refusePort,
      "OS::Neutron::Router": refuseRouter,
      "OS::Neutron::SecurityGroup": refuseLongDescription,
      "OS::Neutron::SecurityGroupRule": refuseLongDescription,
      "OS::Cinder::Volume": refuseVolume,
    },
    replaces: {
      "OS::Nova::Server": replacesServer,
      "OS::Cinder::VolumeAttachment": NEVER_REPLACED,
    },
    notes: {},
    serverId: idOf,
  };
};
