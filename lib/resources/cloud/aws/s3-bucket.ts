import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsS3Bucket: DeclaredType = {
  type: "AWS::S3::Bucket",
  schema: {
    description: "A Swift container for objects, which can serve a website.",
    templateName: "S3Bucket",
    properties: {
      AccessControl: {
        type: "string",
        description: "Who may read and write the bucket.",
        constraints: [
          {
            allowedValues: [
              "Private",
              "PublicRead",
              "PublicReadWrite",
              "AuthenticatedRead",
              "BucketOwnerRead",
              "BucketOwnerFullControl",
            ],
          },
        ],
      },
      WebsiteConfiguration: {
        type: "map",
        description: "How the bucket serves a static website.",
        schema: {
          IndexDocument: {
            type: "string",
            description: "The name of the object that a folder of the website shows.",
          },
          ErrorDocument: {
            type: "string",
            description: "The name of the object that the website shows for an error.",
          },
        },
      },
      Tags: {
        type: "list",
        description: "Keys and values to store with the bucket.",
        items: {
          type: "map",
          schema: {
            Key: { type: "string", description: "The key of the tag.", required: true },
            Value: { type: "string", description: "The value of the tag.", required: true },
          },
        },
      },
    },
    attributes: {
      DomainName: {
        description: "The DNS name of the host that serves the bucket.",
        type: "string",
      },
      WebsiteURL: { description: "The URL of the bucket's website.", type: "string" },
    },
  },
};
