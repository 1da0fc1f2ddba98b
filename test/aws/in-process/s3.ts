import type {
  CreateBucketCommandInput,
  DeleteObjectCommandInput,
  GetObjectCommandInput,
  HeadObjectCommandInput,
  ListObjectsV2CommandInput,
  PutObjectCommandInput,
} from "@aws-sdk/client-s3";
import { S3ServiceException } from "@aws-sdk/client-s3";
import { Bug } from "#lib/errors.ts";
import { compareTexts } from "./values.ts";

const KEYS_MAX = 1_000;

const failure = (name: string): S3ServiceException =>
  new S3ServiceException({ name, message: name, $fault: "client", $metadata: {} });

const bytesOf = (body: PutObjectCommandInput["Body"]): Uint8Array => {
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof Uint8Array) return Uint8Array.from(body);
  throw new Bug("only texts and bytes are known here");
};

export class InProcessS3 {
  readonly #buckets = new Map<string, Map<string, Uint8Array>>();

  readonly operations = {
    CreateBucket: ({ Bucket = "" }: CreateBucketCommandInput) => {
      this.#buckets.set(Bucket, new Map());
      return {};
    },
    DeleteBucket: ({ Bucket = "" }: CreateBucketCommandInput) => {
      this.#buckets.delete(Bucket);
      return {};
    },
    HeadObject: ({ Bucket, Key = "" }: HeadObjectCommandInput) => {
      if (!this.#objects(Bucket).has(Key)) throw failure("NotFound");
      return {};
    },
    PutObject: ({ Bucket, Key = "", Body, IfNoneMatch }: PutObjectCommandInput) => {
      const objects = this.#objects(Bucket);
      if (IfNoneMatch === "*" && objects.has(Key)) throw failure("PreconditionFailed");
      objects.set(Key, bytesOf(Body));
      return {};
    },
    GetObject: ({ Bucket, Key = "" }: GetObjectCommandInput) => {
      const bytes = this.#objects(Bucket).get(Key);
      if (bytes === undefined) throw failure("NoSuchKey");
      return { Body: { transformToByteArray: () => Promise.resolve(bytes) } };
    },
    DeleteObject: ({ Bucket, Key = "" }: DeleteObjectCommandInput) => {
      this.#objects(Bucket).delete(Key);
      return {};
    },
    ListObjectsV2: ({ Bucket, Prefix = "", MaxKeys = KEYS_MAX }: ListObjectsV2CommandInput) => {
      const keys = [...this.#objects(Bucket).keys()].filter((key) => key.startsWith(Prefix));
      const first = keys.toSorted(compareTexts).slice(0, Math.min(MaxKeys, KEYS_MAX));
      return { Contents: first.map((Key) => ({ Key })) };
    },
  };

  #objects(bucket = ""): Map<string, Uint8Array> {
    const objects = this.#buckets.get(bucket);
    if (objects === undefined) throw failure("NoSuchBucket");
    return objects;
  }
}
