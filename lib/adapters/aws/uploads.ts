/**
 * Agents PUT bodies into the bucket with presigned URLs. The signature covers the length and the
 * hash, so S3 accepts no other content. Our code does not see these bodies, so only S3 encrypts
 * them until a visit records their result. Then all their versions are deleted. The bucket's
 * lifecycle rule deletes bodies for which no signal arrives.
 */
import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { Clock, Uploads } from "#lib/ports/ports.ts";
import type { Objects } from "./objects.ts";
import { UPLOADS_PREFIX } from "./tables.ts";

const CHECKSUM_HEADER = "x-amz-checksum-sha256";
const MS_PER_SECOND = 1_000;

const uploadKey = (id: string): string => `${UPLOADS_PREFIX}${id}`;

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
