import { describe, expect, it } from "vitest";
import * as z from "zod";
import { cloudConfigText } from "#lib/resources/mime/cloud-config.ts";
import { type MimePart, mimeMessage, readMultipart } from "#lib/resources/mime/mime-message.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";
import { jsonObject, readShared } from "#test/unit/software-config/oracle.ts";

const partSchema = z.object({
  config: z.string(),
  type: z.string(),
  subtype: z.string().default(""),
  filename: z.string().default(""),
});

const recorded = readShared(
  "oracles/software-config/vectors.json",
  z.object({
    cloud_config: z.array(z.object({ in: jsonObject.nullable(), heat: z.string() })),
    multipart: z.array(z.object({ parts: z.array(partSchema), heat: z.string() })),
  }),
);

const boundary = (attempt: number): string => (attempt === 0 ? "BOUNDARY" : `BOUNDARY${attempt}`);
const aPart = (changes: Partial<MimePart>): MimePart => ({
  text: "",
  subtype: "",
  filename: "",
  ...changes,
});

const partsOf = ({ config, type, subtype, filename }: z.infer<typeof partSchema>) =>
  type === "multipart" ? readMultipart(config) : [{ text: config, subtype, filename }];

describe.runIf(recorded !== null)("as in Heat", () => {
  it.each(recorded?.cloud_config ?? [])(
    "a cloud-config of $in has the same content",
    ({ in: config, heat }) => {
      const text = cloudConfigText(config);
      expect(text.split("\n")[0]).toBe("#cloud-config");
      expect(parseText(text)).toEqual(parseText(heat));
      expect(parseText(text)).toEqual(config);
    },
  );

  it.each(recorded?.multipart ?? [])(
    "a multi-part message of $parts is the same",
    ({ parts, heat }) => {
      // The recording has one text for all boundaries; ours differ.
      const message = mimeMessage(parts.flatMap(partsOf), boundary);
      expect(message.replaceAll(/BOUNDARY\d+/g, "BOUNDARY")).toBe(heat);
    },
  );
});

describe("a cloud-config's text", () => {
  it("shows a script line by line, and quotes texts that look like other types", () => {
    const config = {
      write_files: [{ path: "/run.sh", permissions: "0755", content: "#!/bin/sh\n\necho 1\n" }],
      yes: "no",
      odd: ["=", "<<", "a\tb", "1:30", "2001-01-01", "\u{1f600}", "", " x"],
      none: {},
    };
    const text = cloudConfigText(config);
    expect(text).toContain("- content: |\n    #!/bin/sh\n\n    echo 1\n");
    expect(text).toContain('  permissions: "0755"');
    expect(text).toContain('"yes": "no"');
    expect(text).toContain('- "\\U0001f600"');
    expect(parseText(text)).toEqual(config);
  });

  it.each(["x\n", "x\n\n", "\nx", " x\ny", "x \ny", "x\r\ny", "x\n y\n  z", "é\nx"])(
    "reads back %j",
    (value) => {
      const config = { k: value, l: [value, [value]], m: { n: value } };
      expect(parseText(cloudConfigText(config))).toEqual(config);
    },
  );
});

describe("a multi-part message", () => {
  it("has a boundary that occurs in no part", () => {
    const message = mimeMessage([aPart({ text: "BOUNDARY\nBOUNDARY1" })], boundary);
    expect(message).toContain('boundary="BOUNDARY2"');
  });

  it("has no name or type that can begin another header", () => {
    const part = aPart({ subtype: "x\nEvil: 1", filename: 'a"b\\\nEvil: 1' });
    const message = mimeMessage([part], boundary);
    expect(message).toContain('filename="a\\"b\\\\ Evil: 1"');
    expect(message).not.toMatch(/^Evil/m);
  });

  it("names a type after the stem of the file's name", () => {
    const types = ["cloud-config.txt", "a.tar.gz", ".bashrc", "plain"].map((filename) =>
      /text\/([^;]+)/.exec(mimeMessage([aPart({ filename })], boundary))?.at(1),
    );
    expect(types).toEqual(["cloud-config", "a.tar", ".bashrc", "plain"]);
  });

  it("reads back with any content", () => {
    const parts = [
      aPart({ text: "#!/bin/sh\necho é\n", subtype: "x-shellscript", filename: "é.sh" }),
      aPart({ text: "a: 1\n", subtype: "cloud-config", filename: 'quo"te' }),
      aPart({ text: `${"x".repeat(300)}é`, subtype: "plain" }),
    ];
    expect(readMultipart(mimeMessage(parts, boundary))).toEqual(parts);
  });

  it("may have CRLF, folded headers, other encodings and inner messages", () => {
    const inner = mimeMessage([aPart({ text: "deep", subtype: "x-inner" })], () => "INNER");
    const message = [
      "Content-Type: multipart/mixed;",
      " boundary=outer",
      "",
      "before",
      "--outer",
      "Content-Type: text/x-quoted",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "caf=C3=A9 and so =",
      "on",
      "--outer",
      "",
      "no headers",
      "--outer",
      inner.trimEnd().replaceAll("\n", "\r\n"),
      "--outer--",
      "after",
    ].join("\r\n");
    expect(readMultipart(message)).toEqual([
      aPart({ text: "café and so on", subtype: "x-quoted" }),
      aPart({ text: "no headers", subtype: "plain" }),
      aPart({ text: "deep", subtype: "x-inner" }),
    ]);
  });

  it("has no parts if it is not multi-part", () => {
    expect(readMultipart("not a message")).toEqual([]);
    expect(readMultipart("Content-Type: text/plain\n\nx")).toEqual([]);
  });
});
