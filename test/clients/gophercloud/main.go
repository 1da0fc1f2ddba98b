// Uses gophercloud's orchestration client, and says of each step how it ended: a line of JSON.
// Arguments: how to authenticate (none, password or token), the host's URL, a token, a prefix.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/orchestration/v1/buildinfo"
	"github.com/gophercloud/gophercloud/v2/openstack/orchestration/v1/resourcetypes"
	"github.com/gophercloud/gophercloud/v2/openstack/orchestration/v1/stackevents"
	"github.com/gophercloud/gophercloud/v2/openstack/orchestration/v1/stackresources"
	"github.com/gophercloud/gophercloud/v2/openstack/orchestration/v1/stacks"
	"github.com/gophercloud/gophercloud/v2/openstack/orchestration/v1/stacktemplates"
)

const template = `heat_template_version: 2018-08-31
parameters: {word: {type: string, default: one}}
resources:
  value: {type: OS::Heat::Value, metadata: {kind: plain}, properties: {value: {get_param: word}}}
  handle: {type: OS::Heat::WaitConditionHandle}
outputs: {word: {value: {get_attr: [value, value]}}}
`

var ctx = context.Background()

type line struct {
	Id      string `json:"id"`
	Outcome string `json:"outcome"`
	Text    string `json:"text"`
}

func step(name string, work func() error) {
	said := line{Id: "gophercloud: " + name, Outcome: "passed"}
	if err := work(); err != nil {
		said.Outcome, said.Text = "failed", err.Error()
	}
	text, _ := json.Marshal(said)
	fmt.Println(string(text))
}

func connect(auth, url, token string) (*gophercloud.ServiceClient, error) {
	if auth == "password" {
		provider, err := openstack.AuthenticatedClient(ctx, gophercloud.AuthOptions{
			IdentityEndpoint: url + "/v3",
			Username:         "gopher", Password: token, DomainName: "Default",
			Scope: &gophercloud.AuthScope{ProjectName: "demo", DomainName: "Default"},
		})
		if err != nil {
			return nil, err
		}
		return openstack.NewOrchestrationV1(provider, gophercloud.EndpointOpts{Region: "RegionOne"})
	}
	provider := &gophercloud.ProviderClient{}
	if auth == "token" {
		provider.SetToken(token)
	}
	return &gophercloud.ServiceClient{ProviderClient: provider, Endpoint: url + "/v1/demo/"}, nil
}

// How long the client waits for a stack. A slow machine has more patience.
func patience() time.Duration {
	factor, err := strconv.ParseFloat(os.Getenv("HEARTH_CLIENTS_PATIENCE"), 64)
	if err != nil {
		return time.Minute
	}
	return time.Duration(factor * float64(time.Minute))
}

func waitFor(client *gophercloud.ServiceClient, name, id, status string) error {
	found := ""
	for until := time.Now().Add(patience()); time.Now().Before(until); {
		stack, err := stacks.Get(ctx, client, name, id).Extract()
		if err != nil {
			return err
		}
		if found = stack.Status; found == status {
			return nil
		}
		time.Sleep(300 * time.Millisecond)
	}
	return fmt.Errorf("%s, not %s", found, status)
}

func sameText(found, wanted any) error {
	if fmt.Sprint(found) != fmt.Sprint(wanted) {
		return fmt.Errorf("%v, not %v", found, wanted)
	}
	return nil
}

func playStack(client *gophercloud.ServiceClient, name string) {
	source := &stacks.Template{TE: stacks.TE{Bin: []byte(template)}}
	id := ""
	step("preview", func() error {
		_, err := stacks.Preview(ctx, client, stacks.PreviewOpts{
			Name: name, Timeout: 5, TemplateOpts: source}).Extract()
		return err
	})
	step("create", func() error {
		made, err := stacks.Create(ctx, client, stacks.CreateOpts{
			Name: name, Timeout: 5, TemplateOpts: source, Tags: []string{"a", "b"}}).Extract()
		if err != nil {
			return err
		}
		id = made.ID
		return waitFor(client, name, id, "CREATE_COMPLETE")
	})
	step("list", func() error {
		pages, err := stacks.List(client, stacks.ListOpts{Name: name}).AllPages(ctx)
		if err != nil {
			return err
		}
		found, err := stacks.ExtractStacks(pages)
		if err != nil {
			return err
		}
		return sameText(len(found), 1)
	})
	step("find", func() error {
		found, err := stacks.Find(ctx, client, name).Extract()
		if err != nil {
			return err
		}
		return sameText(found.ID, id)
	})
	step("template of the stack", func() error {
		_, err := stacktemplates.Get(ctx, client, name, id).Extract()
		return err
	})
	playResources(client, name, id)
	step("update", func() error {
		opts := stacks.UpdateOpts{TemplateOpts: source, Parameters: map[string]any{"word": "two"}}
		if err := stacks.Update(ctx, client, name, id, opts).ExtractErr(); err != nil {
			return err
		}
		return waitFor(client, name, id, "UPDATE_COMPLETE")
	})
	step("update by PATCH", func() error {
		opts := stacks.UpdateOpts{Parameters: map[string]any{"word": "three"}}
		if err := stacks.UpdatePatch(ctx, client, name, id, opts).ExtractErr(); err != nil {
			return err
		}
		return waitFor(client, name, id, "UPDATE_COMPLETE")
	})
	step("abandon", func() error {
		_, err := stacks.Abandon(ctx, client, name, id).Extract()
		return err
	})
	playEnd(client, name+"-d", source)
}

func playResources(client *gophercloud.ServiceClient, name, id string) {
	step("resources", func() error {
		pages, err := stackresources.List(client, name, id, nil).AllPages(ctx)
		if err != nil {
			return err
		}
		found, err := stackresources.ExtractResources(pages)
		if err != nil {
			return err
		}
		return sameText(len(found), 2)
	})
	step("resource", func() error {
		found, err := stackresources.Get(ctx, client, name, id, "value").Extract()
		if err != nil {
			return err
		}
		return sameText(found.Type, "OS::Heat::Value")
	})
	step("metadata", func() error {
		found, err := stackresources.Metadata(ctx, client, name, id, "value").Extract()
		if err != nil {
			return err
		}
		return sameText(found["kind"], "plain")
	})
	step("mark unhealthy", func() error {
		opts := stackresources.MarkUnhealthyOpts{MarkUnhealthy: true, ResourceStatusReason: "old"}
		return stackresources.MarkUnhealthy(ctx, client, name, id, "value", opts).ExtractErr()
	})
	step("events", func() error {
		pages, err := stackevents.List(client, name, id, nil).AllPages(ctx)
		if err != nil {
			return err
		}
		found, err := stackevents.ExtractEvents(pages)
		if err != nil {
			return err
		}
		last := found[len(found)-1]
		shown, err := stackevents.Get(ctx, client, name, id, last.ResourceName, last.ID).Extract()
		if err != nil {
			return err
		}
		return sameText(shown.ID, last.ID)
	})
}

func playEnd(client *gophercloud.ServiceClient, name string, source *stacks.Template) {
	step("delete", func() error {
		made, err := stacks.Create(ctx, client, stacks.CreateOpts{
			Name: name, Timeout: 5, TemplateOpts: source}).Extract()
		if err != nil {
			return err
		}
		if err := stacks.Delete(ctx, client, name, made.ID).ExtractErr(); err != nil {
			return err
		}
		return waitFor(client, name, made.ID, "DELETE_COMPLETE")
	})
}

func playCatalogue(client *gophercloud.ServiceClient) {
	step("build", func() error {
		_, err := buildinfo.Get(ctx, client).Extract()
		return err
	})
	step("resource types", func() error {
		found, err := resourcetypes.List(ctx, client, resourcetypes.ListOpts{
			NameRegex: "OS::Heat::None", WithDescription: true}).Extract()
		if err != nil {
			return err
		}
		return sameText(found[0].ResourceType, "OS::Heat::None")
	})
	step("schema of a type", func() error {
		_, err := resourcetypes.GetSchema(ctx, client, "OS::Heat::RandomString").Extract()
		return err
	})
	step("template of a type", func() error {
		_, err := resourcetypes.GenerateTemplate(ctx, client, "OS::Heat::None", nil).Extract()
		return err
	})
	step("validate", func() error {
		_, err := stacktemplates.Validate(ctx, client, stacktemplates.ValidateOpts{
			Template: template}).Extract()
		return err
	})
}

func main() {
	client, err := connect(os.Args[1], os.Args[2], os.Args[3])
	step("connect", func() error { return err })
	if err == nil {
		playCatalogue(client)
		playStack(client, os.Args[4])
	}
}
