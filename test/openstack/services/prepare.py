"""What a cloud has before its users come: a catalog, an image, flavors, a network and projects.

`prepare.py catalog` writes the catalog. `prepare.py projects FOLDER` makes the rest, and
FOLDER/projects.json with an application credential for a user and one for the administrator.
"""

import json
import os
import sys

import openstack

AUTH_URL = "http://127.0.0.1:5000/v3"
REGION = "RegionOne"
SERVICES = [
    ("placement", "http://127.0.0.1:8778"),
    ("image", "http://127.0.0.1:9292"),
    ("compute", "http://127.0.0.1:8774/v2.1"),
    ("network", "http://127.0.0.1:9696"),
    ("block-storage", "http://127.0.0.1:8776/v3"),
]


def connect(user, project):
    return openstack.connect(
        auth_url=AUTH_URL,
        username=user,
        password=user,
        project_name=project,
        user_domain_id="default",
        project_domain_id="default",
        region_name=REGION,
    )


def write_catalog(cloud):
    for kind, url in SERVICES:
        service = cloud.identity.create_service(type=kind, name=kind)
        for side in ("public", "internal"):
            cloud.identity.create_endpoint(
                service_id=service.id, interface=side, url=url, region_id=REGION
            )
    # Cinder detaches a volume of a server only for a service.
    cloud.identity.assign_project_role_to_user(
        cloud.identity.find_project("admin"),
        cloud.identity.find_user("admin"),
        cloud.identity.find_role("service"),
    )


def fill(cloud):
    for name in ("cirros", "ubuntu"):
        cloud.create_image(
            name,
            filename=__file__,
            disk_format="raw",
            container_format="bare",
            visibility="public",
            wait=True,
        )
    for name, ram in (("m1.tiny", 64), ("m1.small", 128)):
        cloud.compute.create_flavor(name=name, ram=ram, vcpus=1, disk=1)
    cloud.block_storage.create_type(name="fake")
    network = cloud.network.create_network(
        name="public",
        is_router_external=True,
        provider_network_type="flat",
        provider_physical_network="public",
    )
    cloud.network.create_subnet(
        name="public",
        network_id=network.id,
        ip_version=4,
        cidr="203.0.113.0/24",
        enable_dhcp=False,
    )


def add_user(cloud):
    project = cloud.identity.create_project(name="demo", domain_id="default")
    user = cloud.identity.create_user(name="demo", password="demo", domain_id="default")
    cloud.identity.assign_project_role_to_user(project, user, cloud.identity.find_role("member"))


def credential(user, project):
    cloud = connect(user, project)
    made = cloud.identity.create_application_credential(
        user=cloud.current_user_id, name="hearth", unrestricted=False
    )
    return made.id, made.secret


def write_projects(folder):
    projects = {}
    for name in ("demo", "admin"):
        identity, secret = credential(name, name)
        path = os.path.join(folder, f"{name}.secret")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secret)
        projects[name] = {
            "auth_url": AUTH_URL,
            "application_credential_id": identity,
            "secret_file": path,
            "region": REGION,
        }
    with open(os.path.join(folder, "projects.json"), "w") as file:
        json.dump({"projects": projects}, file, indent=2)


administrator = connect("admin", "admin")
if sys.argv[1] == "catalog":
    write_catalog(administrator)
else:
    fill(administrator)
    add_user(administrator)
    write_projects(sys.argv[2])
