/** Nova of the double: every operation of a server takes a while, and its ports are Neutron's. */
import type { Json } from "#provider/provider.ts";
import { newPort } from "./neutron.ts";
import {
  all,
  type DoubleAnswer,
  type DoubleCall,
  type DoubleState,
  listed,
  objectIn,
  put,
  quotaLeft,
  type Route,
  type Thing,
  textIn,
} from "./state.ts";

const refusal = (status: number, name: string, message: string): DoubleAnswer => ({
  status,
  json: { [name]: { code: status, message } },
});

const TASK = "OS-EXT-STS:task_state";
const NO_HOST = "No valid host was found. There are not enough hosts available.";
export const BROKEN_IMAGE = "broken";

const portsOf = (state: DoubleState, server: string): readonly Thing[] =>
  [...all(state, "ports").values()].filter(({ members }) => members["device_id"] === server);

/** Ports that Nova created are deleted with the server; others become free again. */
const release = (state: DoubleState, server: Thing): void => {
  all(state, "servers").delete(server.id);
  for (const port of portsOf(state, server.id)) {
    if (port.members["made_by_nova"] === true) all(state, "ports").delete(port.id);
    else Object.assign(port.members, { device_id: "", device_owner: "" });
  }
  for (const volume of all(state, "volumes").values()) {
    const [attached] = attachmentsOf(volume);
    if (attached === server.id)
      Object.assign(volume.members, { status: "available", attachments: [] });
  }
};

const attachmentsOf = ({ members }: Thing): readonly string[] => {
  const { attachments } = members;
  if (!Array.isArray(attachments)) return [];
  return attachments.map((one) => textIn(objectIn({ one }, "one"), "server_id"));
};

const BECOMES: Readonly<Record<string, string>> = {
  spawning: "ACTIVE",
  suspending: "SUSPENDED",
  resuming: "ACTIVE",
  resize_prep: "VERIFY_RESIZE",
  rebuilding: "ACTIVE",
};

const settle = ({ state }: DoubleCall, server: Thing): Thing | null => {
  server.looks += 1;
  if (server.looks <= state.settings.looks) return server;
  const task = textIn(server.members, TASK);
  if (task === "") return server;
  if (task === "deleting") {
    release(state, server);
    return null;
  }
  const isBroken = server.members["image_name"] === BROKEN_IMAGE;
  Object.assign(server.members, {
    [TASK]: null,
    status: isBroken ? "ERROR" : (BECOMES[task] ?? "ACTIVE"),
    ...(isBroken ? { fault: { code: 500, message: NO_HOST } } : {}),
  });
  return server;
};

const begin = (server: Thing, task: string): void => {
  server.members[TASK] = task;
  server.looks = 0;
};

const addressesOf = (state: DoubleState, server: string): Record<string, Json> => {
  const found = new Map<string, Json>();
  for (const { members } of portsOf(state, server)) {
    const network = all(state, "networks").get(textIn(members, "network_id"));
    const ips = Array.isArray(members["fixed_ips"]) ? members["fixed_ips"] : [];
    const name = textIn(network?.members ?? {}, "name");
    const entries = ips.map((ip) => ({
      addr: textIn(objectIn({ ip }, "ip"), "ip_address"),
      version: 4,
      "OS-EXT-IPS:type": "fixed",
      "OS-EXT-IPS-MAC:mac_addr": members["mac_address"] ?? null,
    }));
    found.set(name, entries);
  }
  return Object.fromEntries(found);
};

const shown = (state: DoubleState, { id, members }: Thing) => {
  const { flavor_name: flavor, image_id: image, ...rest } = members;
  return {
    ...rest,
    id,
    image: image === undefined ? "" : { id: image },
    flavor: { original_name: flavor },
    addresses: addressesOf(state, id),
  };
};

const bind = (call: DoubleCall, server: Thing, networks: Json | undefined): DoubleAnswer | null => {
  const { state, project } = call;
  if (!Array.isArray(networks)) return null;
  for (const network of networks) {
    const asked = objectIn({ network }, "network");
    const owned = { device_id: server.id, device_owner: "compute:nova", status: "ACTIVE" };
    const port = all(state, "ports").get(textIn(asked, "port"));
    if (port !== undefined) {
      if (textIn(port.members, "device_id") !== "") {
        return refusal(409, "conflictingRequest", `Port ${port.id} is still in use.`);
      }
      Object.assign(port.members, owned);
      continue;
    }
    const address = textIn(asked, "fixed_ip");
    const made = newPort(state, project, {
      network_id: textIn(asked, "uuid"),
      ...owned,
      made_by_nova: true,
      ...(address === "" ? {} : { fixed_ips: [{ ip_address: address }] }),
    });
    if ("status" in made) return refusal(400, "badRequest", "no address is free");
  }
  return null;
};

const findThing = (state: DoubleState, collection: string, id: string): Thing | undefined =>
  all(state, collection).get(id);

const whyNot = (call: DoubleCall, given: Record<string, Json>): DoubleAnswer | null => {
  const { state } = call;
  if (!quotaLeft(call, "servers")) {
    return refusal(
      403,
      "forbidden",
      "Quota exceeded for instances: Requested 1, but already used 0 of 0 instances",
    );
  }
  const key = textIn(given, "key_name");
  if (key !== "" && findThing(state, "keypairs", key) === undefined) {
    return refusal(400, "badRequest", "Invalid key_name provided.");
  }
  if (findThing(state, "flavors", textIn(given, "flavorRef")) === undefined) {
    return refusal(400, "badRequest", "Flavor could not be found.");
  }
  return findThing(state, "images", textIn(given, "imageRef")) === undefined
    ? refusal(400, "badRequest", "Can not find requested image")
    : null;
};

const create: Route["answer"] = (call) => {
  const { state, project, body } = call;
  const given = objectIn(body, "server");
  const wrong = whyNot(call, given);
  if (wrong !== null) return wrong;
  const { networks, flavorRef, imageRef, security_groups: _, user_data: data, ...rest } = given;
  const server = put(state, "servers", {
    project,
    members: {
      status: "BUILD",
      created: new Date().toISOString(),
      [TASK]: "spawning",
      accessIPv4: "",
      accessIPv6: "",
      ...rest,
      "OS-EXT-SRV-ATTR:user_data": data ?? null,
      image_id: imageRef ?? null,
      image_name: findThing(state, "images", String(imageRef))?.members["name"] ?? null,
      flavor_name: findThing(state, "flavors", String(flavorRef))?.members["name"] ?? null,
    },
  });
  const refused = bind(call, server, networks);
  if (refused === null) return { status: 202, json: { server: { id: server.id } } };
  release(state, server);
  state.made.set("servers", (state.made.get("servers") ?? 1) - 1);
  return refused;
};

const missing = refusal(404, "itemNotFound", "Instance could not be found.");

const on =
  (act: (server: Thing, call: DoubleCall) => DoubleAnswer): Route["answer"] =>
  (call) => {
    const found = findThing(call.state, "servers", call.parts[0] ?? "");
    const server = found && settle(call, found);
    return server ? act(server, call) : missing;
  };

const TASKS: Readonly<Record<string, string>> = {
  suspend: "suspending",
  resume: "resuming",
  "os-start": "resuming",
  resize: "resize_prep",
  rebuild: "rebuilding",
};

const act = on((server, { state, body }) => {
  const [name = ""] = Object.keys(body);
  if (textIn(server.members, TASK) !== "") {
    return refusal(
      409,
      "conflictingRequest",
      `Cannot '${name}' instance while it is in task_state`,
    );
  }
  if (name === "confirmResize") {
    server.members["status"] = "ACTIVE";
    return { status: 204 };
  }
  const asked = objectIn(body, name);
  if (name === "resize") {
    const flavor = findThing(state, "flavors", textIn(asked, "flavorRef"));
    server.members["flavor_name"] = flavor?.members["name"] ?? null;
  }
  if (name === "rebuild") server.members["image_id"] = textIn(asked, "imageRef");
  begin(server, TASKS[name] ?? "");
  return { status: 202 };
});

const write = (member: string) =>
  on((server, { body }) => {
    server.members[member] = body[member] ?? null;
    return { status: 200, json: body };
  });

const volumeAt = ({ state, parts }: DoubleCall): Thing | null => {
  const volume = findThing(state, "volumes", parts[1] ?? "");
  return volume && attachmentsOf(volume).includes(parts[0] ?? "") ? volume : null;
};

const attach = on((server, { state, body }) => {
  const asked = objectIn(body, "volumeAttachment");
  const [id, device] = [textIn(asked, "volumeId"), textIn(asked, "device")];
  const volume = findThing(state, "volumes", id);
  if (volume?.members["status"] !== "available") {
    return refusal(400, "badRequest", `Invalid volume: volume ${id} is not available`);
  }
  Object.assign(volume.members, {
    status: "attaching",
    attachments: [{ server_id: server.id, device }],
  });
  volume.looks = 0;
  return { status: 200, json: { volumeAttachment: { id, volumeId: id, serverId: server.id } } };
});

const portAt = ({ state, parts }: DoubleCall): Thing | null => {
  const port = findThing(state, "ports", parts[1] ?? "");
  return port !== undefined && port.members["device_id"] === parts[0] ? port : null;
};

const interfaces: readonly Route[] = [
  {
    method: "POST",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)\/os-interface$/,
    answer: on((server, call) => {
      const asked = objectIn(call.body, "interfaceAttachment");
      const port = textIn(asked, "port_id");
      const refused = bind(call, server, [{ port }]);
      return refused ?? { status: 200, json: { interfaceAttachment: { port_id: port } } };
    }),
  },
  {
    method: "DELETE",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)\/os-interface\/([^/]+)$/,
    answer: on((server, call) => {
      const port = portAt(call);
      if (port === null) return missing;
      if (server.members["status"] === "ERROR" || textIn(server.members, TASK) !== "") {
        return refusal(409, "conflictingRequest", "Cannot 'detach_interface' instance");
      }
      Object.assign(port.members, { device_id: "", device_owner: "" });
      return { status: 202 };
    }),
  },
];

const ownTags = ({ members }: Thing): readonly Json[] => {
  const { tags } = members;
  return Array.isArray(tags) ? tags : [];
};

const tags: readonly Route[] = [
  {
    method: "PUT",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)\/tags\/([^/]+)$/,
    answer: on((server, { parts }) => {
      const tag = parts[1] ?? "";
      server.members["tags"] = [...ownTags(server).filter((one) => one !== tag), tag];
      return { status: 201 };
    }),
  },
  {
    method: "DELETE",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)\/tags\/([^/]+)$/,
    answer: on((server, { parts }) => {
      const left = ownTags(server).filter((one) => one !== parts[1]);
      if (left.length === ownTags(server).length) return missing;
      server.members["tags"] = left;
      return { status: 204 };
    }),
  },
];

const keys: readonly Route[] = [
  {
    method: "GET",
    path: /^\/compute\/v2\.1\/os-keypairs$/,
    answer: ({ state }) => ({
      status: 200,
      json: {
        keypairs: [...all(state, "keypairs").values()].map(({ members }) => ({ keypair: members })),
      },
    }),
  },
  {
    method: "POST",
    path: /^\/compute\/v2\.1\/os-keypairs$/,
    answer: ({ state, project, body }) => {
      const given = objectIn(body, "keypair");
      const name = textIn(given, "name");
      if (all(state, "keypairs").has(name)) {
        return refusal(409, "conflictingRequest", `Key pair '${name}' already exists.`);
      }
      const key: Thing = { id: name, project, members: given, hidden: 0, looks: 0 };
      all(state, "keypairs").set(name, key);
      return { status: 201, json: { keypair: given } };
    },
  },
  {
    method: "GET",
    path: /^\/compute\/v2\.1\/os-keypairs\/([^/]+)$/,
    answer: ({ state, parts }) => {
      const key = findThing(state, "keypairs", decodeURIComponent(parts[0] ?? ""));
      return key === undefined ? missing : { status: 200, json: { keypair: key.members } };
    },
  },
  {
    method: "DELETE",
    path: /^\/compute\/v2\.1\/os-keypairs\/([^/]+)$/,
    answer: ({ state, parts }) =>
      all(state, "keypairs").delete(decodeURIComponent(parts[0] ?? "")) ? { status: 202 } : missing,
  },
];

export const novaRoutes: readonly Route[] = [
  ...keys,
  ...interfaces,
  ...tags,
  {
    method: "GET",
    path: /^\/compute\/v2\.1\/flavors$/,
    answer: ({ state }) => ({
      status: 200,
      json: {
        flavors: [...all(state, "flavors").values()].map(({ id, members }) => ({ id, ...members })),
      },
    }),
  },
  { method: "POST", path: /^\/compute\/v2\.1\/servers$/, answer: create },
  {
    method: "GET",
    path: /^\/compute\/v2\.1\/servers\/detail$/,
    answer: (call) => {
      const tag = call.query.get("tags") ?? "";
      const found = listed(call, "servers", ({ members }) => {
        const { tags } = members;
        return tag === "" || (Array.isArray(tags) && tags.includes(tag));
      });
      const servers = found.flatMap((one) => settle(call, one) ?? []);
      return { status: 200, json: { servers: servers.map((one) => shown(call.state, one)) } };
    },
  },
  {
    method: "GET",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)$/,
    answer: on((server, { state }) => ({ status: 200, json: { server: shown(state, server) } })),
  },
  {
    method: "PUT",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)$/,
    answer: on((server, { body }) => {
      Object.assign(server.members, objectIn(body, "server"));
      return { status: 200, json: {} };
    }),
  },
  {
    method: "DELETE",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)$/,
    answer: on((server) => {
      if (textIn(server.members, TASK) !== "deleting") begin(server, "deleting");
      return { status: 204 };
    }),
  },
  { method: "POST", path: /^\/compute\/v2\.1\/servers\/([^/]+)\/action$/, answer: act },
  {
    method: "PUT",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)\/metadata$/,
    answer: write("metadata"),
  },
  { method: "PUT", path: /^\/compute\/v2\.1\/servers\/([^/]+)\/tags$/, answer: write("tags") },
  {
    method: "POST",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)\/os-volume_attachments$/,
    answer: attach,
  },
  {
    method: "GET",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)\/os-volume_attachments\/([^/]+)$/,
    answer: (call) =>
      volumeAt(call) === null
        ? missing
        : { status: 200, json: { volumeAttachment: { volumeId: call.parts[1] } } },
  },
  {
    method: "DELETE",
    path: /^\/compute\/v2\.1\/servers\/([^/]+)\/os-volume_attachments\/([^/]+)$/,
    answer: (call) => {
      const volume = volumeAt(call);
      if (volume === null) return missing;
      Object.assign(volume.members, { status: "detaching", attachments: [] });
      volume.looks = 0;
      return { status: 202 };
    },
  },
];
