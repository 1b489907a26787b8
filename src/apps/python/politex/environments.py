"""Our environments as Gymnasium environments, registered as politex/<Name>-v0 when politex is imported."""


def register() -> None:
    """Registers every shipped environment with Gymnasium; called by `import politex`, harmless when said again."""
