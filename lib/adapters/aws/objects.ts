import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { RetryLater } from "#lib/errors.ts";
import { BLOB_KEYS_MAX, type Blobs, type Clock, type Uploads } from "#lib/ports/ports.ts";
import { UPLOADS_PREFIX } from "./tables.ts";

export interface Objects {
  putIfAbsent(key: string, body: Uint8Array, contentType: string): Promise<"stored" | "exists">;
  get(key: string): Promise<Uint8Array | null>;
  delete(key: string): Promise<void>;
  deleteVersions(key: string): Promise<void>;
  list(prefix: string, keysMax: number): Promise<readonly string[]>;
}

const VERSIONS_MAX = 10;

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);

export const openObjects = (client: S3Client, bucket: string): Objects => {
  const newestVersion = async (key: string): Promise<HeadObjectCommandOutput | null> => {
    try {
      return await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    } catch (error) {
      if (isNamed(error, "NotFound", "NoSuchKey")) return null;
      throw error;
    }
  };

  return {
    // The lookup often avoids sending a body that exists, and some emulators ignore the condition.
    putIfAbsent: async (key, body, contentType) => {
      if ((await newestVersion(key)) !== null) return "exists";
      try {
        await client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: key,
            Body: body,
            ContentType: contentType,
            IfNoneMatch: "*",
          }),
        );
        return "stored";
      } catch (error) {
        if (isNamed(error, "PreconditionFailed")) return "exists";
        if (isNamed(error, "ConditionalRequestConflict"))
          throw new RetryLater(`${key} is being written`, 1, { cause: error });
        throw error;
      }
    },
    get: async (key) => {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return Body ? await Body.transformToByteArray() : new Uint8Array();
      } catch (error) {
        if (isNamed(error, "NoSuchKey")) return null;
        throw error;
      }
    },
    delete: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    deleteVersions: async (key) => {
      let newest = await newestVersion(key);
      for (let times = 0; newest !== null && times < VERSIONS_MAX; times += 1) {
        const { VersionId } = newest;
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId }));
        newest = await newestVersion(key);
      }
    },
    list: async (prefix, keysMax) => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: keysMax }),
      );
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
  };
};

const FOLDER = "blobs/";
const blobKey = (key: string): string => FOLDER + key;

export const s3Blobs = (objects: Objects): Blobs => ({
  put: (key, text) =>
    objects.putIfAbsent(blobKey(key), Buffer.from(text), "text/plain; charset=utf-8"),
  get: async (key) => {
    const bytes = await objects.get(blobKey(key));
    return bytes && Buffer.from(bytes).toString("utf8");
  },
  delete: (key) => objects.delete(blobKey(key)),
  list: async (prefix) =>
    (await objects.list(blobKey(prefix), BLOB_KEYS_MAX)).map((key) => key.slice(FOLDER.length)),
});

const CHECKSUM_HEADER = "x-amz-checksum-sha256";
const MS_PER_SECOND = 1_000;

const uploadKey = (id: string): string => `${UPLOADS_PREFIX}${id}`;

/**
 * Agents PUT bodies into the bucket with presigned URLs. The signature covers the length and the
 * hash, so S3 accepts no other content. Our code does not see these bodies, so only S3 encrypts
 * them until a visit records their result. Then all their versions are deleted. The bucket's
 * lifecycle rule deletes bodies for which no signal arrives.
 */
export const s3Uploads = (
  client: S3Client,
  bucket: string,
  objects: Objects,
  clock: Clock,
): Uploads => ({
  open: async ({ id, bytes, sha256, expiresAt }) => {
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: uploadKey(id),
      ContentLength: bytes,
      ChecksumSHA256: sha256,
    });
    const seconds = Math.max(1, Math.ceil((expiresAt - clock.now()) / MS_PER_SECOND));
    const url = await getSignedUrl(client, command, {
      expiresIn: seconds,
      // The checksum must be a signed header, because S3 does not enforce it in the query.
      unhoistableHeaders: new Set([CHECKSUM_HEADER]),
    });
    return { url, headers: { [CHECKSUM_HEADER]: sha256 } };
  },
  get: async ({ id }) => {
    const bytes = await objects.get(uploadKey(id));
    return bytes && Buffer.from(bytes).toString("utf8");
  },
  delete: ({ id }) => objects.deleteVersions(uploadKey(id)),
});
