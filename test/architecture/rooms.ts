/**
 * The rooms of the house: which folder may import which. dependency-cruiser reads the same table,
 * and forbids what it does not name. docs/architecture.md shows it: `npm run docs -- rooms`.
 */
import { z } from "zod";
import rooms from "./rooms.json" with { type: "json" };

const Room = z.strictObject({
  /**
   * A folder with its files but those of rooms inside it, or a pattern of files like `lib/*.ts`.
   */
  room: z.string(),
  imports: z.array(z.string()),
  note: z.string().optional(),
});

export const ROOMS: readonly z.infer<typeof Room>[] = z.array(Room).parse(rooms);

const code = (name: string): string => `\`${name}\``;

export const roomTable = (): string =>
  [
    "| room | may import of ours | why |",
    "| --- | --- | --- |",
    ...ROOMS.map(({ room, imports, note = "" }) => {
      const names = imports.length === 0 ? "only itself" : imports.map(code).join(", ");
      return `| ${code(room)} | ${names} | ${note} |`;
    }),
  ].join("\n");
