"""Settings of the service: from flags, environment variables or a file."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from lapwing.errors import InputError

MEGABYTE = 1 << 20


class ServiceSettings(BaseSettings):
    """What the service can be told; ``LAPWING_SERVICE_PORT=9000`` sets `port`.

    Flags win over the environment, the environment over the file.

    Examples
    --------
    >>> settings = ServiceSettings(folder="/srv/lapwing", port=9000)
    >>> settings.port, settings.database_address
    (9000, '/srv/lapwing/service.db')
    """

    model_config = SettingsConfigDict(env_prefix="LAPWING_SERVICE_", extra="forbid")

    folder: Path = Field(Path("lapwing-service"), description="Folder of graphs and database.")
    database: str | None = Field(None, description="A file or a PostgreSQL address.")
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8400, ge=0, le=65535, description="Port to listen on; 0 for a free one.")
    workers: int = Field(1, ge=1, le=64, description="Server processes.")
    lease: float = Field(120.0, gt=0, description="Seconds for which a question is reserved.")
    rate: str = Field("500/second", description="Limit of requests per token.")
    body_megabytes: float = Field(2.0, gt=0, description="Largest body of a request.")
    upload_megabytes: float = Field(256.0, gt=0, description="Largest upload.")
    upload_rows: int = Field(20_000_000, gt=0, description="Most edges or nodes of an upload.")
    upload_seconds: float = Field(120.0, gt=0, description="Longest time to read an upload.")
    upload_memory_megabytes: float = Field(4096.0, gt=0, description="Memory to read an upload.")
    processes: int = Field(2, ge=1, le=64, description="Processes for layouts and other long work.")
    keep_replies_hours: float = Field(168.0, gt=0, description="How long repeats are recognised.")
    log_level: str = Field("info", pattern="^(debug|info|warning|error)$")
    log_json: bool = Field(True, description="Log lines as JSON.")
    docs: bool = Field(True, description="Serve the OpenAPI page at /docs.")

    @property
    def database_address(self) -> str:
        """Where the database is: in the folder unless said otherwise."""
        return self.database or str(self.folder / "service.db")

    @property
    def on_loopback(self) -> bool:
        """Whether only this computer can connect.

        Examples
        --------
        >>> ServiceSettings(host="0.0.0.0").on_loopback, ServiceSettings(host="::1").on_loopback
        (False, True)
        """
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature of the hook
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature of the hook
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags first, then the environment, then the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def settings_from(file: Path | None = None, **flags: Any) -> ServiceSettings:
    """Return the settings from flags, the environment and a TOML file, in this order.

    Examples
    --------
    >>> settings_from(port=70000)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: port: Input should be less than or equal to 65535, got 70000
    """
    if file is not None and not file.is_file():
        raise InputError(f"the settings must be a TOML file, there is none at {file}")
    said = {name: value for name, value in flags.items() if value is not None}

    class FromFile(ServiceSettings):
        """The same settings, from this file too."""

        model_config = SettingsConfigDict(
            env_prefix="LAPWING_SERVICE_", extra="forbid", toml_file=file
        )

    try:
        return FromFile(**said)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        name = ".".join(map(str, first["loc"])) or "settings"
        raise InputError(f"{name}: {first['msg']}, got {first['input']!r}") from None
    except ValueError as wrong:
        raise InputError(f"{file}: {wrong}") from None
