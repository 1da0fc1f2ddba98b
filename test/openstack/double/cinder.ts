import type { Json } from "#provider/provider.ts";
import {
  all,
  type DoubleAnswer,
  type DoubleCall,
  listed,
  members,
  objectIn,
  put,
  quotaLeft,
  type Route,
  type Thing,
} from "./state.ts";

const refusal = (status: number, name: string, message: string): DoubleAnswer => ({
  status,
  json: { [name]: { code: status, message } },
});

export const settle = ({ state }: DoubleCall, volume: Thing): Thing | null => {
  volume.looks += 1;
  if (volume.looks <= state.settings.looks) return volume;
  const { status } = volume.members;
  if (status === "deleting") {
    all(state, "volumes").delete(volume.id);
    return null;
  }
  if (status === "creating" || status === "extending" || status === "detaching") {
    volume.members["status"] = "available";
  }
  if (status === "attaching") volume.members["status"] = "in-use";
  return volume;
};

const begin = (volume: Thing, status: string): void => {
  volume.members["status"] = status;
  volume.looks = 0;
};

const shown = ({ id, members: own }: Thing) => ({ ...own, id });

const create: Route["answer"] = (call) => {
  if (!quotaLeft(call, "volumes")) {
    return refusal(
      413,
      "overLimit",
      "VolumeLimitExceeded: Maximum number of volumes allowed exceeded",
    );
  }
  const given = objectIn(call.body, "volume");
  const own: Record<string, Json> = {
    description: null,
    volume_type: "fake",
    availability_zone: "nova",
    snapshot_id: null,
    source_volid: null,
    created_at: "2026-01-01T00:00:00",
    bootable: "false",
    encrypted: false,
    multiattach: false,
    attachments: [],
    ...given,
    status: "creating",
  };
  const volume = put(call.state, "volumes", { project: call.project, members: own });
  return { status: 202, json: { volume: shown(volume) } };
};

const missing = refusal(404, "itemNotFound", "Volume could not be found.");

const on =
  (act: (volume: Thing, call: DoubleCall) => DoubleAnswer): Route["answer"] =>
  (call) => {
    const found = all(call.state, "volumes").get(call.parts[0] ?? "");
    const volume = found && settle(call, found);
    return volume ? act(volume, call) : missing;
  };

const remove = on((volume) => {
  const { status } = volume.members;
  if (status === "deleting") return { status: 202 };
  if (status !== "available" && !`${status}`.startsWith("error")) {
    const text = `Invalid volume: Volume status must be available or error, not ${status}.`;
    return refusal(400, "badRequest", text);
  }
  begin(volume, "deleting");
  return { status: 202 };
});

/** Heat's format for the filter: a dictionary with one text, as Python prints it. */
const isAsked = (query: URLSearchParams) => (volume: Thing) => {
  const asked = /^\{'([^']+)': '([^']+)'\}$/.exec(query.get("metadata") ?? "");
  if (asked === null) return true;
  const metadata = objectIn(volume.members, "metadata");
  return metadata[asked[1] ?? ""] === asked[2];
};

export const cinderRoutes: readonly Route[] = [
  { method: "POST", path: /^\/volume\/v3\/volumes$/, answer: create },
  {
    method: "GET",
    path: /^\/volume\/v3\/volumes\/detail$/,
    answer: (call) => {
      const found = listed(call, "volumes", isAsked(call.query));
      const volumes = found.flatMap((one) => settle(call, one) ?? []).map(shown);
      return { status: 200, json: { volumes } };
    },
  },
  {
    method: "GET",
    path: /^\/volume\/v3\/volumes\/([^/]+)$/,
    answer: on((volume) => ({ status: 200, json: { volume: shown(volume) } })),
  },
  {
    method: "PUT",
    path: /^\/volume\/v3\/volumes\/([^/]+)$/,
    answer: on((volume, { body }) => {
      Object.assign(volume.members, objectIn(body, "volume"));
      return { status: 200, json: { volume: shown(volume) } };
    }),
  },
  {
    method: "POST",
    path: /^\/volume\/v3\/volumes\/([^/]+)\/action$/,
    answer: on((volume, { body }) => {
      if (volume.members["status"] !== "available") {
        const text = `Invalid volume: Volume ${volume.id} status must be '{'status': 'available'}' to extend, currently ${volume.members["status"]}.`;
        return refusal(400, "badRequest", text);
      }
      volume.members["size"] = objectIn(body, "os-extend")["new_size"] ?? null;
      begin(volume, "extending");
      return { status: 202 };
    }),
  },
  { method: "DELETE", path: /^\/volume\/v3\/volumes\/([^/]+)$/, answer: remove },
  {
    method: "GET",
    path: /^\/image\/v2\/images$/,
    answer: ({ state, query }) => {
      const images = [...all(state, "images").values()]
        .map(({ id, members: own }) => ({ ...members.parse(own), id }))
        .filter((image) => Object.entries(image).some(([, name]) => name === query.get("name")));
      return { status: 200, json: { images } };
    },
  },
];
