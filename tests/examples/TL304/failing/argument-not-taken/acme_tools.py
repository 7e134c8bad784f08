def find(name=None):
    return {}
