# One image for every role; docker-compose.yml says which command each runs.
# The first stage installs what is pinned, the second has neither pip nor anything to build with.

FROM python:3.13-slim-bookworm AS packages

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /build
COPY requirements.txt ./
RUN python -m venv /opt/sealed \
    && /opt/sealed/bin/pip install --require-hashes --only-binary :all: -r requirements.txt \
    && /opt/sealed/bin/pip uninstall --yes setuptools pip


FROM python:3.13-slim-bookworm

RUN groupadd --gid 10001 sealed \
    && useradd --uid 10001 --gid sealed --no-create-home --home-dir /data --shell /usr/sbin/nologin sealed \
    && install -d -o sealed -g sealed -m 0700 /data /keys
COPY --from=packages /opt/sealed /opt/sealed
COPY adjudicator /app/adjudicator
COPY web /app/web
COPY worker /app/worker
COPY templates /app/templates
COPY verify_match.py /app/verify_match.py
COPY LICENSE /app/LICENSE
RUN printf '#!/bin/sh\nexec /opt/sealed/bin/python -P -m adjudicator "$@"\n' >/usr/local/bin/sealed \
    && chmod 0755 /usr/local/bin/sealed \
    && /opt/sealed/bin/python -m compileall -q /app

ENV PYTHONPATH=/app PYTHONUNBUFFERED=1 DATA_DIR=/data KEY_FILE=/keys/worker.key HOST=0.0.0.0
WORKDIR /data
USER sealed
EXPOSE 8000 8001 2525
HEALTHCHECK --interval=2m --timeout=30s --start-period=60s CMD ["sealed", "check", "--role", "web"]
ENTRYPOINT ["sealed"]
CMD ["web"]
