/** Answers that a client keeps, so that the server need not send an unchanged answer again. */

const ANSWERS_MAX = 60;
/** For all answers together. */
const CHARS_MAX = 20_000_000;

export interface KnownAnswer {
  /** The ETag of this content. */
  readonly tag: string;
  readonly text: string;
}

export interface KnownAnswers {
  find(path: string): KnownAnswer | undefined;
  /** Forgets the oldest answers when there are too many. */
  keep(path: string, answer: KnownAnswer): void;
  clear(): void;
}

export const knownAnswers = (): KnownAnswers => {
  const answers = new Map<string, KnownAnswer>();
  let chars = 0;
  const forget = (path: string): void => {
    chars -= answers.get(path)?.text.length ?? 0;
    answers.delete(path);
  };
  return {
    find: (path) => answers.get(path),
    keep: (path, answer) => {
      forget(path);
      answers.set(path, answer);
      chars += answer.text.length;
      for (const oldest of answers.keys()) {
        if (answers.size <= ANSWERS_MAX && chars <= CHARS_MAX) return;
        forget(oldest);
      }
    },
    clear: () => {
      answers.clear();
      chars = 0;
    },
  };
};
