/** Examples of the functions with their templates. A test compares the values. */

type Lines = readonly string[];

export const HOT_FILES: Readonly<Record<string, Lines>> = {
  "notes.yaml": ["# notes.yaml", "owner: ada"],
  "inner.yaml": [
    "# inner.yaml",
    "heat_template_version: 2021-04-16",
    "outputs:",
    "  owner: { value: { resource_facade: metadata } }",
  ],
  "stack.yaml": [
    "# stack.yaml",
    "heat_template_version: 2021-04-16",
    "parameters:",
    "  region: { type: string, default: north }",
    '  ports: { type: comma_delimited_list, default: "80,443" }',
    "conditions:",
    "  is_north: { equals: [{ get_param: region }, north] }",
    "resources:",
    "  network: { type: OS::Neutron::Net, external_id: net-1 }",
    "  server:",
    "    type: OS::Heat::Value",
    "    properties: { value: { name: web, addresses: [10.0.0.5] } }",
    "  nested: { type: inner.yaml, metadata: { owner: ada } }",
  ],
};

export const CFN_FILES: Readonly<Record<string, Lines>> = {
  "piece.yaml": [
    "# piece.yaml",
    'HeatTemplateFormatVersion: "2012-12-12"',
    "Outputs:",
    '  Policy: { Value: { "Fn::ResourceFacade": DeletionPolicy } }',
  ],
  "formation.yaml": [
    "# formation.yaml",
    'AWSTemplateFormatVersion: "2010-09-09"',
    "Parameters:",
    "  Size: { Type: String, Default: small }",
    "Mappings:",
    "  Memory: { small: { MiB: 512 }, large: { MiB: 4096 } }",
    "Conditions:",
    '  IsSmall: { "Fn::Equals": [{ Ref: Size }, small] }',
    "Resources:",
    "  Server: { Type: OS::Heat::Value, Properties: { value: { Ref: Size } } }",
    "  Nested: { Type: piece.yaml, DeletionPolicy: Retain }",
  ],
};

export const FUNCTION_EXAMPLES: Readonly<Record<string, Lines>> = {
  get_param: [
    "whole: { get_param: region }      # gives: north",
    "part: { get_param: [ports, 0] }   # gives: '80'",
  ],
  get_resource: ["id: { get_resource: network }   # gives: net-1"],
  get_attr: ["address: { get_attr: [server, value, addresses, 0] }   # gives: 10.0.0.5"],
  get_file: ['text: { get_file: notes.yaml }   # gives: "# notes.yaml\\nowner: ada\\n"'],
  list_join: ['text: { list_join: [", ", [a, b], [{ k: 1 }]] }   # gives: \'a, b, {"k": 1}\''],
  str_replace: [
    "text: { str_replace: { template: hello NAME, params: { NAME: ada } } }   # gives: hello ada",
  ],
  str_replace_strict: [
    "text: { str_replace_strict: { template: hello NAME, params: { NAME: ada } } } # gives: hello ada",
    "lost: { str_replace_strict: { template: hello, params: { NAME: ada } } }",
    "# error: The following params were not found in the template: NAME",
  ],
  str_replace_vstrict: [
    "text: { str_replace_vstrict: { template: hello NAME, params: { NAME: ada } } } # gives: hello ada",
    'empty: { str_replace_vstrict: { template: hello NAME, params: { NAME: "" } } }',
    "# error: str_replace_vstrict has an undefined or empty value for param NAME, must be a",
    "#   defined non-empty value",
  ],
  resource_facade: ["owner: { get_attr: [nested, owner] }   # gives: { owner: ada }"],
  repeat: [
    "ports:",
    "  repeat: { template: { port: P, to: H }, for_each: { P: ['80', '443'], H: [web] } }",
    "# gives: [{ port: '80', to: web }, { port: '443', to: web }]",
  ],
  digest: [
    "sum: { digest: [sha256, hello] }",
    "# gives: 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  ],
  str_split: [
    'parts: { str_split: [".", a.b.c] }      # gives: [a, b, c]',
    'last: { str_split: [".", a.b.c, -1] }   # gives: c',
  ],
  map_merge: ["map: { map_merge: [{ a: 1, b: 2 }, { b: 3 }] }   # gives: { a: 1, b: 3 }"],
  map_replace: [
    "map: { map_replace: [{ a: x, b: y }, { keys: { a: c }, values: { y: z } }] }",
    "# gives: { c: x, b: z }",
  ],
  yaql: ["sum: { yaql: { expression: $.data.sum(), data: [3, 2, 1] } }   # gives: 6"],
  if: ["size: { if: [is_north, 3, 1] }   # gives: 3"],
  filter: ["list: { filter: [[a], [a, b, a, c]] }   # gives: [b, c]"],
  make_url: [
    "url:",
    "  make_url: { scheme: https, host: example.com, port: 8443, path: /a b, query: { q: x/y } }",
    "# gives: https://example.com:8443/a%20b?q=x/y",
  ],
  list_concat: ["list: { list_concat: [[a, b], [b, c]] }   # gives: [a, b, b, c]"],
  list_concat_unique: ["list: { list_concat_unique: [[a, b], [b, c]] }   # gives: [a, b, c]"],
  contains: [
    "item: { contains: [b, [a, b]] }   # gives: true",
    "part: { contains: [ell, hello] }  # gives: true",
  ],
  equals: ["conditions:", "  same: { equals: [{ get_param: region }, north] }   # gives: true"],
  not: ["conditions:", "  other: { not: is_north }   # gives: false"],
  and: ["conditions:", "  both: { and: [is_north, { not: is_north }] }   # gives: false"],
  or: ["conditions:", "  one: { or: [is_north, { not: is_north }] }   # gives: true"],
  Ref: ["size: { Ref: Size }   # gives: small"],
  "Fn::GetAtt": ['value: { "Fn::GetAtt": [Server, value] }   # gives: small'],
  "Fn::GetAZs": ['zones: { "Fn::GetAZs": "" }   # gives: [nova]'],
  "Fn::Join": ['text: { "Fn::Join": ["-", [a, b]] }   # gives: a-b'],
  "Fn::Split": ['parts: { "Fn::Split": [".", a.b] }   # gives: [a, b]'],
  "Fn::Replace": ['text: { "Fn::Replace": [{ NAME: ada }, hello NAME] }   # gives: hello ada'],
  "Fn::Base64": ['text: { "Fn::Base64": hello }   # gives: hello'],
  "Fn::MemberListToMap": [
    'map: { "Fn::MemberListToMap": [k, v, [.member.0.k=a, .member.0.v=b]] }   # gives: { a: b }',
  ],
  "Fn::ResourceFacade": ['policy: { "Fn::GetAtt": [Nested, Policy] }   # gives: Retain'],
  "Fn::Select": ['item: { "Fn::Select": [1, [a, b]] }   # gives: b'],
  "Fn::FindInMap": ['memory: { "Fn::FindInMap": [Memory, { Ref: Size }, MiB] }   # gives: 512'],
  "Fn::If": ['size: { "Fn::If": [IsSmall, 1, 3] }   # gives: 1'],
  "Fn::Equals": ["Conditions:", '  Same: { "Fn::Equals": [{ Ref: Size }, small] }   # gives: true'],
  "Fn::Not": ["Conditions:", '  Other: { "Fn::Not": [IsSmall] }   # gives: false'],
  "Fn::And": ["Conditions:", '  Both: { "Fn::And": [IsSmall, true] }   # gives: true'],
  "Fn::Or": ["Conditions:", '  One: { "Fn::Or": [IsSmall, false] }   # gives: true'],
};
