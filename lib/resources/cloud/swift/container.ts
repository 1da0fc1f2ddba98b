import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const swiftContainer: DeclaredType = {
  type: "OS::Swift::Container",
  schema: {
    description: "A Swift container. It holds objects, each with its own name.",
    templateName: "SwiftContainer",
    properties: {
      name: { type: "string", description: "The container's name." },
      "X-Container-Read": {
        type: "string",
        description: "The access list of those who may read objects in the container.",
      },
      "X-Container-Write": {
        type: "string",
        description: "The access list of those who may write objects in the container.",
      },
      "X-Container-Meta": {
        type: "map",
        description:
          "The metadata of the container as key-value pairs. Swift shows each as an X-Container-Meta header.",
        default: {},
      },
      "X-Account-Meta": {
        type: "map",
        description:
          "The metadata of the account as key-value pairs. Swift shows each as an X-Account-Meta header.",
        default: {},
      },
      PurgeOnDelete: {
        type: "boolean",
        description:
          "Whether to delete the objects together with the container. Otherwise only an empty container can be deleted.",
        default: false,
        support: { since: "2015.1" },
      },
    },
    attributes: {
      DomainName: { description: "The host name in the URL of the container.", type: "string" },
      WebsiteURL: { description: "The container's URL.", type: "string" },
      RootURL: { description: "The URL of the account that has the container.", type: "string" },
      ObjectCount: { description: "The number of objects in the container.", type: "integer" },
      BytesUsed: {
        description: "The size of all objects in the container, in bytes.",
        type: "integer",
      },
      HeadContainer: { description: "The headers of the container as a map.", type: "map" },
    },
  },
};
