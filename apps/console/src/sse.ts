/** Server-sent events over `fetch`, because `EventSource` cannot send a token. */

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

const eventOf = (block: string): ServerEvent | null => {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trim());
  }
  return data.length === 0 ? null : { name, data: data.join("\n") };
};

export const eventReader = (): ((piece: string) => readonly ServerEvent[]) => {
  let rest = "";
  return (piece) => {
    const blocks = (rest + piece.replaceAll("\r\n", "\n")).split("\n\n");
    rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => eventOf(block) ?? []);
  };
};
