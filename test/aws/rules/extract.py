"""Writes models.json anew: what AWS's own models say of the requests that Hearth makes.

Usage: python extract.py > models.json (needs the package botocore, whose models are under the Apache licence 2.0).
Add the operation that a new request needs to OPERATIONS.
"""
import json
import botocore
import botocore.session

OPERATIONS = {
    "dynamodb": "BatchGetItem BatchWriteItem CreateTable DeleteItem DeleteTable DescribeTable GetItem PutItem "
    "Query RestoreTableToPointInTime Scan UpdateItem UpdateTimeToLive",
    "sqs": "ChangeMessageVisibility ChangeMessageVisibilityBatch CreateQueue DeleteMessage DeleteMessageBatch DeleteQueue "
    "GetQueueAttributes ReceiveMessage SendMessageBatch StartMessageMoveTask",
    "s3": "CopyObject CreateBucket DeleteBucket DeleteObject GetObject HeadObject ListObjectVersions ListObjectsV2 "
    "PutObject",
    "secretsmanager": "DescribeSecret GetSecretValue PutSecretValue UpdateSecretVersionStage",
    "stepfunctions": "SendTaskSuccess StartExecution",
}


def rules(shape, shapes, prefix):
    name = prefix + shape.name
    if name in shapes:
        return name
    meta = shape.metadata
    rule = shapes[name] = {"type": shape.type_name}
    rule.update({key: meta[key] for key in ("min", "max", "pattern") if key in meta})
    if getattr(shape, "enum", None):
        rule["enum"] = shape.enum
    if shape.type_name == "structure":
        rule["required"] = shape.required_members
        rule["union"] = bool(meta.get("union"))
        rule["members"] = {key: rules(value, shapes, prefix) for key, value in shape.members.items()}
    elif shape.type_name == "list":
        rule["of"] = rules(shape.member, shapes, prefix)
    elif shape.type_name == "map":
        rule["key"] = rules(shape.key, shapes, prefix)
        rule["of"] = rules(shape.value, shapes, prefix)
    return name


session = botocore.session.get_session()
shapes, inputs = {}, {}
for service, operations in OPERATIONS.items():
    model = session.get_service_model(service)
    for operation in operations.split():
        shape = model.operation_model(operation).input_shape
        inputs[f"{service} {operation}"] = rules(shape, shapes, service + ".")
lines = [f"{json.dumps(name)}: {json.dumps(rule)}" for name, rule in shapes.items()]
print('{"source": "botocore %s",\n"inputs": %s,\n"shapes": {\n%s\n}}' % (botocore.__version__, json.dumps(inputs), ",\n".join(lines)))
