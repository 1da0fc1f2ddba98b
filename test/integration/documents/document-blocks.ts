export interface Block {
  readonly language: string;
  /** The line of the fence, from 1. */
  readonly line: number;
  readonly chapter: string;
  readonly text: string;
}

const FENCE = /^```(\w*)$/;
const OTHER_FENCE = /^\s*(?:```|~~~)/;
const CHAPTER = /^## +(.*)$/;

/** Throws for a block without an end, and for other fences, so that none is overlooked. */
export const blocksOf = (page: string): readonly Block[] => {
  const blocks: Block[] = [];
  let chapter = "";
  let open: { language: string; line: number; lines: string[] } | null = null;
  page.split("\n").forEach((content, at) => {
    const [isFence, language = ""] = FENCE.exec(content) ?? [];
    if (open !== null && isFence !== undefined) {
      const { language: word, line, lines } = open;
      blocks.push({ language: word, line, chapter, text: lines.join("\n") });
      open = null;
    } else if (isFence === undefined && OTHER_FENCE.test(content)) {
      throw new Error(`line ${at + 1}: a fence must be three backticks and at most a word`);
    } else if (open !== null) open.lines.push(content);
    else if (isFence !== undefined) open = { language, line: at + 1, lines: [] };
    else chapter = CHAPTER.exec(content)?.[1] ?? chapter;
  });
  if (open !== null) throw new Error("The page ends inside a block");
  return blocks;
};

const FILE_NAME = /^# ([\w-]+\.yaml)$/;

export const fileNameOf = ({ language, text }: Block): string | null => {
  const [first = ""] = text.split("\n");
  return language === "yaml" ? (FILE_NAME.exec(first)?.[1] ?? null) : null;
};
