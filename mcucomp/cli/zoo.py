"""`mcucomp zoo`: public models: a table of them, downloads, and what becomes of each here."""

from __future__ import annotations

import click

from mcucomp import zoo
from mcucomp.cli.options import json_option
from mcucomp.errors import CheckFailed, InvalidInput
from mcucomp.report.terminal import print_json, story
from mcucomp.report.zoo_text import fetch_text, trials_text, zoo_text

_names = click.argument("names", nargs=-1, metavar="[NAME]...")


@click.group("zoo", invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Show public models to try a compiler on: licence, size, and what each exercises.

    They are in the folder that MCUCOMP_MODELS names, else in shared/models beside
    the checkout or in the user's cache.
    """
    if context.invoked_subcommand is not None:
        return
    models = zoo.named(())
    if as_json:
        rows = [{**model.as_json(), "present": zoo.is_present(model)} for model in models]
        print_json({"schema": 1, "folder": str(zoo.models_folder()), "models": rows})
    else:
        zoo_text(models, [zoo.is_present(model) for model in models])


@command.command("fetch")
@_names
@click.option("--all", "everything", is_flag=True, help="All models of the table.")
@click.option(
    "--mirror",
    "address",
    default=zoo.ADDRESS,
    show_default=True,
    metavar="URL",
    help="A server with the files under REPOSITORY/COMMIT/PATH.",
)
@json_option
def fetch_command(names: tuple[str, ...], everything: bool, address: str, as_json: bool) -> None:
    """Download models by name, and verify each by its SHA-256.

    Files that are there and right are left alone. Exit status 3 without a network.
    """
    if bool(names) == everything:
        raise InvalidInput(
            "say which models to fetch",
            at="mcucomp zoo fetch",
            fix="name them ('mcucomp zoo' lists all), or give --all",
        )
    models = zoo.named(names)
    fetched = []
    with story() as tell:
        for number, model in enumerate(models):
            tell(f"fetch {model.name}", number, len(models))
            fetched.append((model, zoo.fetch(model, address)))
    if as_json:
        rows = [
            {"name": m.name, "file": str(zoo.model_file(m)), "bytes": m.size_bytes, "fetched": new}
            for m, new in fetched
        ]
        print_json({"schema": 1, "models": rows})
    else:
        fetch_text(fetched)


@command.command("test")
@_names
@click.option(
    "--inputs",
    "count",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="How many drawn inputs to run.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="S")
@json_option
def test_command(names: tuple[str, ...], count: int, seed: int, as_json: bool) -> None:
    """Build models for the host and compare them with TensorFlow Lite Micro.

    Without names, all that are present. Exit status 1 if one that TFLM runs is
    refused here, or gives other bytes.
    """
    models = zoo.named(names)
    if not names:
        models = [model for model in models if zoo.is_present(model)]
    if not models:
        raise InvalidInput(
            f"no model of the table is in {zoo.models_folder()}",
            at="mcucomp zoo test",
            fix="'mcucomp zoo fetch --all' downloads them",
        )
    trials = []
    with story() as tell:
        for number, model in enumerate(models):
            tell(f"test {model.name}", number, len(models))
            trials.append(zoo.try_model(model, count, seed))
    bad = [trial for trial in trials if not trial.outcome.is_good]
    if as_json:
        rows = [trial.as_json() for trial in trials]
        print_json({"schema": 1, "inputs": count, "seed": seed, "models": rows})
    else:
        trials_text(trials)
    if bad and as_json:
        raise click.exceptions.Exit(CheckFailed.exit_code)
    if bad:
        raise CheckFailed(
            f"{len(bad)} of {len(trials)} models are not as they should be",
            at="mcucomp zoo test",
            fix="these are gaps or bugs of ours; 'mcucomp check' shows more of each",
        )
