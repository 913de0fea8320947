"""Routes for what lies on the server: models to begin with, the folder of the command line, the keys of model files."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from fullproof.core.errors import UserError
from fullproof.formats.document.keys import KEYS, STATE_KEYS, TRANSITION_KEYS
from fullproof.serve.folder import ChangedSince, ModelFile, ModelFolder
from fullproof.serve.messages import Complaint, FileText, FolderList, KnownKeys, ModelText
from fullproof.serve.settings import Settings


def file_routes(router: APIRouter, settings: Settings) -> None:
    """Add the routes."""

    @router.get("/models", summary="Models to begin with")
    async def models() -> list[ModelText]:
        return [ModelText(name=given.name, text=given.text) for given in settings.models]

    @router.get("/keys", summary="The keys of model files, for completion")
    async def keys() -> KnownKeys:
        tables = (KEYS, STATE_KEYS, TRANSITION_KEYS)
        model, state, transition = ({kind: list(names) for kind, names in table.items()} for table in tables)
        return KnownKeys(model=model, state=state, transition=transition)

    @router.get("/files", summary="The models of the folder that the command line names")
    async def files() -> FolderList:
        folder = settings.folder
        if folder is None:
            return FolderList(folder=None, files=[])
        return FolderList(folder=folder.name, files=await run_in_threadpool(folder.names))

    @router.get("/files/{name:path}", summary="A model of the folder", response_model=FileText)
    async def read(name: str) -> Response:
        return await _answered(settings, lambda folder: folder.read(name, settings.limits.request))

    @router.put("/files/{name:path}", summary="Save a model in the folder", response_model=FileText)
    async def write(name: str, file: FileText) -> Response:
        return await _answered(settings, lambda folder: folder.write(name, file.text, file.digest))


async def _answered(settings: Settings, work: Callable[[ModelFolder], ModelFile]) -> Response:
    if settings.folder is None:
        return _refused(422, "the workbench was started without a folder: fullproof serve DIR")
    try:
        found = await run_in_threadpool(work, settings.folder)
    except ChangedSince as error:
        return _refused(409, error.message)
    except UserError as error:
        return _refused(422, error.message)
    except OSError as error:
        return _refused(422, f"the file cannot be used: {error.strerror}")
    return JSONResponse(FileText(name=found.name, text=found.text, digest=found.digest).model_dump(mode="json"))


def _refused(status: int, message: str) -> Response:
    return JSONResponse(Complaint(error="refused", message=message).model_dump(mode="json"), status_code=status)
