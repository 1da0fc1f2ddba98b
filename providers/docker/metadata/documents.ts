/**
 * The documents that 169.254.169.254 serves, as Nova's metadata service does: EC2's tree of texts
 * and OpenStack's JSON. Values that a container does not have are left out.
 */

export interface ServerMetadata {
  readonly id: string;
  readonly name: string;
  readonly hostname: string;
  readonly address: string;
  readonly projectId: string;
  readonly publicKeys: readonly string[];
  readonly meta: Readonly<Record<string, string>>;
}

type Tree = string | { readonly [name: string]: Tree };

const EC2_VERSIONS = ["1.0", "2009-04-04", "latest"] as const;
const OPENSTACK_VERSIONS = ["2012-08-10", "2018-08-27", "latest"] as const;
const KEY_NAME_DEFAULT = "key";

const keyName = (line: string): string => line.trim().split(/\s+/)[2] ?? KEY_NAME_DEFAULT;

/** EC2 lists the keys as `0=name`, and their folders are the numbers. */
const keysOf = ({ publicKeys }: ServerMetadata): Tree =>
  Object.fromEntries(publicKeys.map((line, at) => [at, { "openssh-key": line }]));

const ec2Of = (server: ServerMetadata): Tree => ({
  hostname: server.hostname,
  "instance-id": server.id,
  "local-hostname": server.hostname,
  "local-ipv4": server.address,
  "public-hostname": server.hostname,
  "public-ipv4": "",
  ...(server.publicKeys.length === 0 ? {} : { "public-keys": keysOf(server) }),
});

const openStackOf = (server: ServerMetadata): string =>
  JSON.stringify({
    uuid: server.id,
    name: server.name,
    hostname: server.hostname,
    project_id: server.projectId,
    launch_index: 0,
    meta: server.meta,
    public_keys: Object.fromEntries(server.publicKeys.map((line) => [keyName(line), line])),
  });

const treeOf = (server: ServerMetadata, userData: string | null): Tree => {
  const ec2 = {
    "meta-data": ec2Of(server),
    ...(userData === null ? {} : { "user-data": userData }),
  };
  const openStack = {
    "meta_data.json": openStackOf(server),
    ...(userData === null ? {} : { user_data: userData }),
  };
  return {
    ...Object.fromEntries(EC2_VERSIONS.map((version) => [version, ec2])),
    openstack: Object.fromEntries(OPENSTACK_VERSIONS.map((version) => [version, openStack])),
  };
};

const listOf = (
  folder: Exclude<Tree, string>,
  parent: string | undefined,
  { publicKeys }: ServerMetadata,
): string =>
  parent === "public-keys"
    ? publicKeys.map((line, at) => `${at}=${keyName(line)}`).join("\n")
    : Object.entries(folder)
        .map(([name, tree]) => (typeof tree === "string" ? name : `${name}/`))
        .join("\n");

export interface Document {
  readonly text: string;
  readonly isJson: boolean;
}

export const documentAt = (
  path: string,
  server: ServerMetadata,
  userData: string | null,
): Document | null => {
  const names = path.split("/").filter(Boolean);
  let tree: Tree = treeOf(server, userData);
  for (const name of names) {
    if (typeof tree === "string" || !Object.hasOwn(tree, name)) return null;
    const below: Tree | undefined = tree[name];
    if (below === undefined) return null;
    tree = below;
  }
  const text = typeof tree === "string" ? tree : listOf(tree, names.at(-1), server);
  return { text, isJson: names.at(-1)?.endsWith(".json") === true };
};
