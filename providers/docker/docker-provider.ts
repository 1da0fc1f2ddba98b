/** Servers and related types on one machine, in Docker or Podman (docs/run-on-docker.md). */
import { idOf } from "../object-names.ts";
import type { ServerProvider } from "../server-provider.ts";
import type { BackEnd } from "./back-end.ts";
import { cinderVolume, refuseVolume, VOLUME_NOTE } from "./types/cinder-volume.ts";
import { keyPair, refuseKeyPair } from "./types/key-pair.ts";
import { net, refuseNet } from "./types/net.ts";
import { port, refusePort } from "./types/port.ts";
import { server } from "./types/server.ts";
import { refuseServer } from "./types/server-refusals.ts";
import { refuseSubnet, subnet } from "./types/subnet.ts";

export const dockerProvider = (backEnd: BackEnd): ServerProvider => {
  return {
    provider: 2,
    name: "docker",
    option: "--docker",
    types: {
      "OS::Nova::Server": server(backEnd),
      "OS::Nova::KeyPair": keyPair(backEnd),
      "OS::Neutron::Net": net(backEnd),
      "OS::Neutron::Subnet": subnet(backEnd),
      "OS::Neutron::Port": port(backEnd),
      "OS::Cinder::Volume": cinderVolume(backEnd),
    },
    refusals: {
      "OS::Nova::Server": refuseServer,
      "OS::Nova::KeyPair": refuseKeyPair,
      "OS::Neutron::Net": refuseNet,
      "OS::Neutron::Subnet": refuseSubnet,
      "OS::Neutron::Port": refusePort,
      "OS::Cinder::Volume": refuseVolume,
    },
    replaces: {},
    notes: { "OS::Cinder::Volume": VOLUME_NOTE },
    serverId: idOf,
  };
};
