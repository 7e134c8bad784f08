"""TL701: the name of a channel that was hardly meant (a warning).

Finds: in a tenant's `channels.yaml` a channel whose name is a slip of `stable` or `canary` while
the file has no channel of that name. Other names are free.

On the phone: callers stay on the release that they were on. The change was reviewed and merged, and
no worker follows the channel that it moved.

Fails:

    stabel: {release: v12}

Passes:

    stable: {release: v12}
"""
