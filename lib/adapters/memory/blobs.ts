import { BLOB_KEYS_MAX, type Blobs, type Upload, type Uploads } from "#lib/ports/ports.ts";

interface MemoryBlobs extends Blobs {
  keys(): readonly string[];
  has(key: string): boolean;
  /** Returns a function that restores the current state. It may be called repeatedly. */
  backUp(): () => void;
}

export const memoryBlobs = (): MemoryBlobs => {
  const texts = new Map<string, string>();
  return {
    keys: () => [...texts.keys()],
    has: (key) => texts.has(key),
    backUp: () => {
      const kept = [...texts];
      return () => {
        texts.clear();
        for (const [key, text] of kept) texts.set(key, text);
      };
    },
    put: async (key, text) => {
      if (texts.has(key)) return "exists";
      texts.set(key, text);
      return "stored";
    },
    get: async (key) => texts.get(key) ?? null,
    delete: async (key) => {
      texts.delete(key);
    },
    list: async (prefix) =>
      [...texts.keys()]
        .filter((key) => key.startsWith(prefix))
        .sort()
        .slice(0, BLOB_KEYS_MAX),
  };
};

interface MemoryUploads extends Uploads {
  put(id: string, text: string): boolean;
  expire(): void;
}

export const memoryUploads = (): MemoryUploads => {
  const opened = new Map<string, Upload>();
  const texts = new Map<string, string>();
  return {
    open: async (upload) => {
      opened.set(upload.id, upload);
      return { url: `https://uploads.example/${upload.id}`, headers: {} };
    },
    put: (id, text) => {
      const isOpen = opened.get(id)?.bytes === new TextEncoder().encode(text).length;
      if (isOpen) texts.set(id, text);
      return isOpen;
    },
    get: async ({ id }) => texts.get(id) ?? null,
    delete: async ({ id }) => {
      texts.delete(id);
    },
    expire: () => texts.clear(),
  };
};
