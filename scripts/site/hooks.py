"""What mkdocs.yml cannot say: the anchors of headings as in the repository, and pages that nobody listed."""
import pathlib

from pymdownx.slugs import slugify

import stage


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slugify(case="lower")
    stage.add_unlisted(config["nav"], pathlib.Path(config["docs_dir"]))
    return config
